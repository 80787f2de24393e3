"""Walls of a secret and salts: the same for ever, even, and not to be had from anything else."""

from __future__ import annotations

from collections import Counter

import pytest

from quepu.table.mixed_wall import NO_SALTS, Sealed, commit_to, mix_wall, read_sealed, seal, verify_mixed
from quepu.table.wall import WallError, check_wall
from quepu.tiles import FLOWERED, PLAIN

SECRET = "0123456789abcdef" * 4
SALTS = ("00112233445566778899aabbccddeeff", "", "f" * 32, "")
COMMITMENTS = (  # printf '0 00112233445566778899aabbccddeeff' | sha256sum
    "4b7aa11b11fa94836d39b5e0ae1eb49ddb69dc07b9fc41579ca395057ca3cc44",
    "",
    "39f5880b611eb8d0694755e0499b788bd2cfe269eb0ab3aa7ebc9c9ec893aca9",
    "",
)
TEXT = (
    "4s7mF1s7p2p9s4m9m1pC1s2s6p1p3s3mF9s4sSN2s5s5m1p8mCC9m6s3pW3s1s7m6m6m8pW4m3p5p9m3m7sS1m4p6s2p6m7sP9m5p2s8sPF6s2mWN"
    "3sF5p1p4p8mE8s4m5s6p8p4s3s5m7m4m1m4s9p3mC5m2p9pNS3m3p8m7p9s4p8p7s7p7p2p7s8pN7m1m8s6pS2mP5sE6pP1m8m6mE9p9p2m5sE5p6s"
    "4p2s9s8s3pW2m1s5m"
)


def test_a_wall_is_the_same_for_ever() -> None:
    wall = mix_wall(3, SECRET, SALTS)
    assert wall.text() == TEXT
    assert wall.dice == (5, 2, 5, 6)
    # the first number below 136 of: printf '3 SECRET SALT  SALT  0' | sha256sum = 65a15ad2…, 0x65a15ad2 % 136 == 18
    assert wall.tiles[-1] == PLAIN.tiles[0x65A15AD2 % 136]


def test_each_part_changes_the_wall() -> None:
    walls = {
        mix_wall(3, SECRET, SALTS),
        mix_wall(4, SECRET, SALTS),
        mix_wall(3, SECRET[::-1], SALTS),
        mix_wall(3, SECRET, NO_SALTS),
        mix_wall(3, SECRET, (SALTS[0], SALTS[2], "", "")),
        mix_wall(3, SECRET, ("", SALTS[0], SALTS[2], "")),
    }
    assert len(walls) == 6


def test_walls_are_whole_and_even() -> None:
    first: Counter[int] = Counter()
    dice: Counter[int] = Counter()
    for number in range(1, 1361):
        wall = mix_wall(number, SECRET, SALTS, FLOWERED if number % 2 else PLAIN)
        check_wall(wall)
        if not number % 2:
            first[wall.tiles[0]] += 1
        dice.update(wall.dice)
    expected = 680 / 34
    assert sum((first[kind] - expected) ** 2 / expected for kind in range(34)) < 65  # 33 degrees of freedom: 0.1 %
    assert sum((dice[die] - 5440 / 6) ** 2 / (5440 / 6) for die in range(1, 7)) < 21


def test_what_was_committed_to_is_what_must_be_shown() -> None:
    sealed = read_sealed(3, SECRET, COMMITMENTS, commit_to("secret", SECRET))
    wall = mix_wall(3, SECRET, SALTS)
    verify_mixed(wall, sealed, SALTS)
    withheld = (SALTS[0], "", "", "")
    verify_mixed(mix_wall(3, SECRET, withheld), sealed, withheld)
    for other in (
        (SALTS[0], SALTS[0], SALTS[2], ""),  # of a player who committed to nothing
        (SALTS[2], "", SALTS[0], ""),
        ("0" * 32, "", SALTS[2], ""),
        (SALTS[0].upper(), "", SALTS[2], ""),
    ):
        with pytest.raises(WallError, match="盐"):
            verify_mixed(mix_wall(3, SECRET, other), sealed, other)
    with pytest.raises(WallError, match="密数和盐"):
        verify_mixed(mix_wall(3, SECRET, withheld), sealed, SALTS)
    with pytest.raises(WallError, match="密数"):
        read_sealed(3, "f" * 64, COMMITMENTS, commit_to("secret", SECRET))
    with pytest.raises(WallError, match="四位"):
        read_sealed(3, SECRET, COMMITMENTS[:3], commit_to("secret", SECRET))
    with pytest.raises(WallError, match="写得不对"):
        read_sealed(3, SECRET, ("x", "", "", ""), commit_to("secret", SECRET))


def test_secrets_are_new_each_time() -> None:
    many = [seal(1) for _ in range(50)]
    assert len({sealed.secret for sealed in many}) == 50
    assert isinstance(many[0], Sealed)
    assert many[0].commitments == NO_SALTS
