import { describe, expect, it } from "vitest";
import { committed, OwnSalts, proved } from "./wall";

const reveal = { hand: 1, wall: "1m2m3m", dice: [1, 2, 3, 4], salt: "ab" };
// printf "1m2m3m 1234 ab" | sha256sum
const commitment = "f66306b775dd0dcd25cece9057a115092ad4481d0c440f3e97d3e25afd0d5f79";

describe("a wall of the server alone against its promise", () => {
  it("holds where the digest of wall, dice and salt is the promise", () => {
    expect(proved({ ...reveal, commitment }, { hand: 1, commitment })).toBe("same");
    expect(proved({ ...reveal, commitment })).toBe("same");
  });
  it("fails for another wall, other dice, or another promise", () => {
    expect(proved({ ...reveal, wall: "2m1m3m", commitment })).toBe("other");
    expect(proved({ ...reveal, dice: [1, 2, 4, 3], commitment })).toBe("other");
    expect(proved({ ...reveal, commitment }, { hand: 1, commitment: "0".repeat(64) })).toBe("other");
  });
  it("says that nothing was promised", () => {
    expect(proved(reveal)).toBe("unpromised");
    expect(proved({ ...reveal, commitment: "" })).toBe("unpromised");
  });
});

// the same figures stand in tests/table/test_mixed_wall.py
const secret = "0123456789abcdef".repeat(4);
const salts = ["00112233445566778899aabbccddeeff", "", "f".repeat(32), ""];
const commitments = [
  "4b7aa11b11fa94836d39b5e0ae1eb49ddb69dc07b9fc41579ca395057ca3cc44",
  "",
  "39f5880b611eb8d0694755e0499b788bd2cfe269eb0ab3aa7ebc9c9ec893aca9",
  "",
];
const mixed = {
  hand: 3,
  wall:
    "4s7mF1s7p2p9s4m9m1pC1s2s6p1p3s3mF9s4sSN2s5s5m1p8mCC9m6s3pW3s1s7m6m6m8pW4m3p5p9m3m7sS1m4p6s2p6m7sP9m5" +
    "p2s8sPF6s2mWN3sF5p1p4p8mE8s4m5s6p8p4s3s5m7m4m1m4s9p3mC5m2p9pNS3m3p8m7p9s4p8p7s7p7p2p7s8pN7m1m8s6pS2m" +
    "P5sE6pP1m8m6mE9p9p2m5sE5p6s4p2s9s8s3pW2m1s5m",
  dice: [5, 2, 5, 6],
  secret,
  commitment: "3d860a110a492ba03f08816350b92ecf2b7cea9f847c23ab21f41abad4987c14",
  commitments,
  salts,
};

describe("a wall that was mixed", () => {
  const promised = { hand: 3, commitment: mixed.commitment, commitments, salts };
  it("holds where everything that was committed to leads to it", () => {
    expect(proved(mixed)).toBe("mixed");
    expect(proved(mixed, promised, { place: 0, salt: salts[0] ?? "" })).toBe("mixed");
  });
  it("holds with flowers, whose names are no letters", () => {
    const wall =
      "PE1s8m2p4sEC8m4m1s9s9p8p5m3pP春N7s3s2sF2m7pF8s3s6s8m3s1pE5s竹2m9m5pC5m9s2p9p4m5p1p9p5m4p8s7p5m3mS5p5p4" +
      "p9m3s2s1s2p8p7m7s4s6m8m1sC1m8sF8s7s7p4m兰E6s9s3m梅6p夏6s6m5s3m3p1m4p2s7mSC2sWNP2m6m5s冬8p2m1p2p3mW3p1mN9" +
      "m6pSSN3p6s9p6p8p6p5sW1p9m4s4p7p7sPF7mW9s秋菊1m4s4m7m6m";
    expect(proved({ ...mixed, hand: 1, wall, dice: [4, 4, 1, 6] })).toBe("mixed");
  });
  it("says when this seat's salt is not in it", () => {
    expect(proved(mixed, promised, { place: 1, salt: "a".repeat(32) })).toBe("left out");
  });
  it("fails where anything is not as it was before the deal", () => {
    expect(proved({ ...mixed, dice: [5, 2, 5, 5] })).toBe("other");
    expect(proved({ ...mixed, wall: mixed.wall.replace("4s7m", "7m4s") })).toBe("other");
    expect(proved({ ...mixed, salts: [salts[0] ?? "", "", "", ""] })).toBe("other");
    expect(proved({ ...mixed, salts: [] })).toBe("other");
    expect(proved({ ...mixed, secret: "f".repeat(64) })).toBe("other");
    expect(proved({ ...mixed, hand: 4 })).toBe("other");
    expect(proved(mixed, { ...promised, commitments: ["", "", "", ""] })).toBe("other");
    expect(proved(mixed, { ...promised, salts: ["", "", "", ""] })).toBe("other");
    expect(proved(mixed, { ...promised, commitment: "0".repeat(64) })).toBe("other");
  });
});

describe("the salts of a seat", () => {
  it("are shown once, for the wall that was sealed with them", () => {
    const own = new OwnSalts();
    const first = own.commit(2);
    expect(own.commit(2)).toEqual(first);
    const seal = { hand: 1, commitment: "", commitments: ["", "", first.commitment, ""] };
    const { salt, commitment: next } = own.show(seal, 2);
    expect(committed(2, salt ?? "")).toBe(first.commitment);
    expect(own.of(1)).toMatchObject({ place: 2, salt });
    expect(next).not.toBe(first.commitment);
    expect(own.show(seal, 2).salt).toBeUndefined();
  });
  it("are not shown for a wall that was sealed without them, or twice", () => {
    const own = new OwnSalts();
    const { commitment } = own.commit(0);
    expect(own.show({ hand: 1, commitment: "", commitments: ["", commitment, "", ""] }, 0).salt).toBeUndefined();
    expect(own.of(1)).toBeUndefined();
    expect(own.show({ hand: 1, commitment: "", commitments: [commitment, "", "", ""] }, 0).salt).toBeUndefined();
    expect(own.show({ hand: 2, commitment: "", commitments: [commitment, "", "", ""] }, 0).salt).toBeDefined();
  });
});
