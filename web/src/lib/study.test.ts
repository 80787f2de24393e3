import { expect, it, vi } from "vitest";
import { emptyStudy, isRight, pack, readStudy, unpack, type Study } from "./study";

vi.mock("./prefs.svelte", () => ({ t: (zh: string) => zh }));

const study: Study = {
  ...emptyStudy(),
  title: "一课",
  by: "甲",
  chapters: [
    {
      title: "第一手",
      replay: "abc_DEF-1",
      at: 41,
      seat: "S",
      note: "先拆五筒。",
      arrows: [{ from: "5p", to: "discard" }],
      branches: [{ play: "chow 3m", note: "太慢" }],
      question: { text: "打哪张？", answers: ["5p", "chow 3m"], why: "进张多。" },
    },
  ],
};

it("is the same after it went through a link or a file", async () => {
  expect(await unpack(await pack(study))).toEqual(study);
  expect(readStudy(JSON.stringify(study))).toEqual(study);
  expect(await pack(study)).toMatch(/^[\w-]+$/);
});

it("leaves logs to files", async () => {
  const whole = { ...study, logs: { "abc_DEF-1": "{}" } };
  expect(readStudy(JSON.stringify(whole))).toEqual(whole);
  expect(await unpack(await pack(whole))).toEqual(study);
});

it.each([
  ["{", "JSON"],
  ["[]", "quepu, version"],
  ['{"quepu":"study","version":2}', "quepu, version"],
  ['{"quepu":"study","version":1}', "chapters"],
  ['{"quepu":"study","version":1,"chapters":[{"replay":"../x","at":0,"seat":"E"}]}', "chapters[0].replay"],
  ['{"quepu":"study","version":1,"chapters":[{"replay":"x","at":-1,"seat":"E"}]}', "chapters[0].at"],
  ['{"quepu":"study","version":1,"chapters":[{"replay":"x","at":1,"seat":"Z"}]}', "chapters[0].seat"],
])("says which part of %s is wrong", (text, wrong) => {
  expect(readStudy(text)).toEqual({ wrong });
});

it("says that a link is not a study", async () => {
  expect(await unpack("%%%")).toEqual({ wrong: "link" });
  expect(await unpack("abcd")).toEqual({ wrong: "link" });
});

it("takes a right answer however it is spaced", () => {
  const question = study.chapters[0]!.question!;
  expect(["5p", "Chow3m", "6p"].map((one) => isRight(question, one))).toEqual([true, true, false]);
});
