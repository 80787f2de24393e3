"""A gymnasium environment for one learner against three bots, registered as `quepu/BOOK-v0` for every book.

    import gymnasium, quepu.rl
    env = gymnasium.make("quepu/guobiao-mcr-v0")
    observation, info = env.reset(seed=7)
    env.step(int(info["action_mask"].argmax()))

The observation is one array, the actions are the numbers of `quepu.rl.action_numbers`, and which are allowed is in
`info["action_mask"]` and in `action_masks()`, as MaskablePPO of sb3-contrib asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, Unpack

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from quepu.bots.protocol import BotMaker
from quepu.match.starts import StartError
from quepu.rl import action_numbers
from quepu.rl.encodings import Array
from quepu.rl.env import check_options, render_mode_of, spaces_of
from quepu.rl.episode import DEFAULT_TERMS, Episode, TermOptions, Terms
from quepu.rl.episode_start import check_seed
from quepu.rl.rewards import stackable
from quepu.rl.tables import PlainTables
from quepu.rl.vector import check_seat, other_seats
from quepu.rulebooks import book, book_ids
from quepu.rules.rulebook import Rulebook
from quepu.scoring.signatures import DEFAULT_RULES, showing
from quepu.table.actions import timeout


class AllowedActions(spaces.Discrete):
    """The numbers of actions; `sample` draws one that is allowed now, unless it is given a mask of its own."""

    def __init__(self, env: SingleMahjongEnv) -> None:
        super().__init__(action_numbers.COUNT)
        self._env = env

    def __reduce__(self) -> tuple[Any, ...]:
        return spaces.Discrete, (int(self.n),)  # a model that is saved has its space, without the environment

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Return an action at random."""
        if mask is None and probability is None:
            mask = self._env.mask()
        drawn: np.int64 = super().sample(mask, probability)
        return drawn


class SingleMahjongEnv(gymnasium.Env[Array, np.int64]):
    """See the module.

        >>> import quepu.rl
        >>> made = quepu.rl.gym_env("guobiao-mcr", ("random", "random", "random"))
        >>> shown, info = made.reset(seed=7)
        >>> shown.shape, info["action_mask"].shape
        ((70, 42), (153,))

    Args:
        rules: an id, alias, TOML file or Rulebook.
        bots: three for the other seats, from the learner's right: levels, or classes or functions that make a bot.
        masked: the effect of a masked action: "refuse" raises ValueError; "timeout" treats the learner like a player
            who does not answer (a pass, or the drawn tile is discarded), for programs that do not know masks.
        seat: the learner's seat, 0 East … 3 North (in a match, the first one); None: another seat each episode.
        flowers, encoding, reward, match, render_mode: as in `quepu.rl.env.EpisodeEnv`.

    Raises:
        UnknownName: the book, encoding, reward or bot does not exist.
        StartError: bots, seat, flowers or match are invalid.
        ValueError: the render mode does not exist.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}

    @showing(TermOptions, DEFAULT_TERMS)
    def __init__(
        self,
        rules: str | Rulebook = DEFAULT_RULES,
        bots: Sequence[BotMaker] = ("plain", "plain", "plain"),
        seat: int | None = None,
        flowers: bool | None = None,
        *,
        masked: Literal["refuse", "timeout"] = "refuse",
        render_mode: str | None = None,
        **options: Unpack[TermOptions],
    ) -> None:
        check_options("gym_env", options, SingleMahjongEnv)
        if masked not in ("refuse", "timeout"):
            raise StartError(
                f"masked 是 refuse 或 timeout，不是 {masked!r}。", f"masked is refuse or timeout, not {masked!r}."
            )
        self._masked = masked
        check_seat(seat)
        # Stable-Baselines3's make_vec_env asks every environment for pictures; here there are none
        self.render_mode = render_mode_of(None if render_mode == "rgb_array" else render_mode)
        terms = Terms.of(rules, flowers, **options)
        self._tables = PlainTables(terms, 1, other_seats(bots), seat)
        self.observation_space = spaces_of(terms.encoding)["observation"]
        self.action_space: spaces.Space[np.int64] = AllowedActions(self)
        self._player = 0
        self.over = True
        """Whether `reset` is to be called."""

    def __repr__(self) -> str:
        return f"SingleMahjongEnv({self.episode.terms.book.id!r}, bots={self._tables.bots!r})"

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.action_space = AllowedActions(self)

    @property
    def episode(self) -> Episode:
        """The hand or match being played (`quepu.rl.episode.Episode`)."""
        return self._tables.episodes[0]

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Deal: the wall of `seed`, then of each following hand of that seed; `options` are those of `Start`.

        Raises:
            StartError: the seed is negative, or the options contradict each other or the book.
        """
        given = None if seed is None else check_seed(seed)
        super().reset(seed=given)  # gymnasium's own generator, of which nothing is drawn
        lost = np.zeros((1, 4), np.float32)
        self._tables.begin(0, given, options)
        while self._tables.go_on((0,), lost):  # it ended before the learner could act
            self._tables.begin(0, None, None)
        self.over = False
        self._player = self.episode.acting
        return self._look(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Let the learner act, then the others until he is to act again.

        The reward is what he got meanwhile; at the end `info` has "final", how the episode ended ("winner" is -1 if
        nobody won), and the mask allows only a pass.

        Raises:
            ValueError: the action is masked.
            RuntimeError: no hand is being played.
        """
        if self.over:
            raise RuntimeError("no hand is being played: call reset()")
        gains = np.zeros((1, 4), np.float32)
        if self._masked == "timeout" and not self.episode.allows(int(action)):
            action = action_numbers.number(timeout(list(self.episode.options().values())))
        try:
            ended = self._tables.act(np.asarray(action).reshape(1), (0,), gains)
        except ValueError as refused:
            raise ValueError(f'{refused} (for programs without masks: masked="timeout")') from None
        info: dict[str, Any] = {}
        if ended:
            self.over = True
            info = {"final": stackable(ended[0].info())}
        return self._look(), float(gains[0, self._player]), self.over, False, self._info() | info

    def _look(self) -> Array:
        seen: Array = self.episode.observe(self._player)
        return seen

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.mask(), "player": self._player}

    def mask(self) -> Array:
        """Return the legal actions, or only a pass when the episode is over, as `vec` does: int8 [153]."""
        mask = self.episode.mask()
        if self.over:
            mask[action_numbers.PASS] = 1
        return mask

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions, as MaskablePPO of sb3-contrib expects them: bool [153]."""
        legal: NDArray[np.bool_] = self.mask().astype(np.bool_)
        return legal

    def render(self) -> str | None:
        """Return the events so far, one per line; None without a render mode."""
        if self.render_mode is None:
            return None
        return "\n".join(event.text().en for event in self.episode.table.events)


gym_env = SingleMahjongEnv


def register_ids() -> None:
    """Register `quepu/BOOK-v0` for every book that is played at tables."""
    for name in book_ids():
        gym_id = f"quepu/{name}-v0"
        if book(name).play and gym_id not in gymnasium.registry:
            gymnasium.register(
                gym_id, "quepu.rl.single:SingleMahjongEnv", kwargs={"rules": name},
                vector_entry_point="quepu.rl.single_vector:SingleVectorEnv",
            )  # fmt: skip
