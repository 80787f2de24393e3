import { describe, expect, it } from "vitest";
import { proved } from "./wall";

const reveal = { wall: "1m2m3m", dice: [1, 2, 3, 4], salt: "ab" };
const commitment = "f66306b775dd0dcd25cece9057a115092ad4481d0c440f3e97d3e25afd0d5f79"; // printf "1m2m3m 1234 ab" | sha256sum

describe("a wall against its promise", () => {
  it("holds where the digest of wall, dice and salt is the promise", async () => {
    expect(await proved({ ...reveal, commitment } as never, commitment)).toBe("same");
    expect(await proved({ ...reveal, commitment } as never, undefined)).toBe("same");
  });
  it("fails for another wall, other dice, or another promise", async () => {
    expect(await proved({ ...reveal, wall: "2m1m3m", commitment } as never, commitment)).toBe("other");
    expect(await proved({ ...reveal, dice: [1, 2, 4, 3], commitment } as never, commitment)).toBe("other");
    expect(await proved({ ...reveal, commitment } as never, "0".repeat(64))).toBe("other");
  });
  it("says that nothing was promised", async () => {
    expect(await proved({ ...reveal } as never, undefined)).toBe("unpromised");
  });
});
