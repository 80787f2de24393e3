"""Walls of a secret and salts: the same for ever, even, and not to be had from anything else."""

from __future__ import annotations

from collections import Counter

import pytest

from quepu.table.mixed_wall import NO_SALTS, Sealed, _below, commit_to, mix_wall, read_sealed, seal, verify_mixed
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
    assert sum((first[kind] - expected) ** 2 / expected for kind in range(34)) < 65  # 33 degrees of freedom: 0.1%
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


@pytest.mark.parametrize("bound", [6, 34, 136, 144])
def test_no_number_below_a_bound_is_likelier_than_another(bound: int) -> None:
    """Words of 32 bits beyond the last whole multiple of the bound are skipped."""
    last = 2**32 // bound * bound
    assert _below(bound, iter([last - 1])) == bound - 1
    assert _below(bound, iter([last - bound])) == 0
    if last < 2**32:
        assert _below(bound, iter([last, 2**32 - 1, 5])) == 5


def test_a_seal_is_read_back_with_each_players_commitment() -> None:
    commitments = tuple(commit_to(player, f"{player:032x}") for player in range(4))
    sealed = seal(7, commitments)
    again = read_sealed(7, sealed.secret, commitments, sealed.commitment)
    assert again == sealed
    assert again.commitments == commitments
    assert commit_to(0, SALTS[0]) == COMMITMENTS[0]
    for others in ((*commitments, ""), commitments[:3]):
        with pytest.raises(WallError, match="四位"):
            read_sealed(7, sealed.secret, others, sealed.commitment)
    for secret in (sealed.secret[:-1], sealed.secret + "0", "g" * 64):
        with pytest.raises(WallError, match="写得不对"):
            read_sealed(7, secret, commitments, commit_to("secret", secret))


def test_whose_salt_is_wrong_is_said() -> None:
    salts = [f"{player:032x}" for player in range(4)]
    sealed = seal(1, [commit_to(player, salt) for player, salt in enumerate(salts)])
    wall = mix_wall(1, sealed.secret, salts)
    verify_mixed(wall, sealed, salts)
    for player in range(4):
        wrong = [*salts]
        wrong[player] = "f" * 32
        with pytest.raises(WallError) as refused:
            verify_mixed(wall, sealed, wrong)
        assert refused.value.text.zh.startswith(f"第 {player + 1} 位玩家")
        assert f"player {player + 1} " in refused.value.text.en
    short = seal(1, (commit_to(0, "abc"), "", "", ""))  # its form is wrong, though the commitment fits
    with pytest.raises(WallError, match="盐"):
        verify_mixed(mix_wall(1, short.secret, ("abc", "", "", "")), short, ("abc", "", "", ""))
    for others in (salts[:3], [*salts, ""]):
        with pytest.raises(WallError, match="四位"):
            verify_mixed(wall, sealed, others)
    with pytest.raises(WallError, match="密数和盐"):
        verify_mixed(wall._replace(tiles=wall.tiles[1:]), sealed, salts)
    own = mix_wall(1, sealed.secret, salts, FLOWERED, own=True)
    assert own.own and not wall.own
    verify_mixed(own, sealed, salts)
