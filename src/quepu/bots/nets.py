"""Nets as bots: `net:FILE` plays the action that a policy rates highest. FILE is ONNX, safetensors or numpy (.npz).

ONNX runs on onnxruntime (extra `[nets]`). The others are layers `w0`, `b0`, `w1` …, each `w @ x + b`, with max(0, x)
between; whole numbers are multiplied by a scale `s0`. Each observation (in the form `options`: each row) is computed
alone, also in a batch, so answers are bitwise equal however many are asked for at once.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from quepu.bots import option_form, public_form
from quepu.bots.line_process import BotError
from quepu.bots.payable_bot import payable
from quepu.bots.simple import without_flower
from quepu.errors import Text, cannot_read, missing_extra
from quepu.match import botzone_requests
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, Event, Table, View
from quepu.table.actions import timeout

FORMS = ("stale", "fresh", "counts", "planes", "options")
"""The public form, stale (as nets for it are trained) or fresh, quepu's own encodings, and rows of options."""
PUBLIC_FORMS = FORMS[:2]
"""Those of the public form, which only 国标 has."""
OPTIONS = FORMS[4]
"""The form that has a row for each option (`quepu.bots.option_form`)."""
_MOST = 1 << 30
_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I8": "i1", "I16": "<i2", "U8": "u1"}
_ONNX_TYPES: Mapping[str, type[np.generic]] = {
    f"tensor({name})": kind
    for name, kind in {
        "bool": np.bool_, "float16": np.float16, "float": np.float32, "double": np.float64,
        **{kind.__name__: kind for kind in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32)},
    }.items()
}  # fmt: skip
Floats = NDArray[np.float32]


class Policy(Protocol):
    """A net: logits of one observation."""

    takes: int
    gives: int

    def logits(self, observation: NDArray[Any], mask: NDArray[np.int8]) -> Floats:
        """Return a number for each action."""


class Layers:
    """A net of dense layers in numpy."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self._layers: list[tuple[Floats, Floats]] = []
        self.takes = self.gives = 0
        while (weights := arrays.get(f"w{len(self._layers)}")) is not None:
            number = len(self._layers)
            scale = np.asarray(arrays.get(f"s{number}", 1.0), np.float32)
            made = np.ascontiguousarray(weights.astype(np.float32) * (scale[:, None] if scale.ndim else scale))
            bias = np.asarray(arrays.get(f"b{number}", np.zeros(len(made))), np.float32)
            if made.ndim != 2 or bias.shape != made.shape[:1] or (number and made.shape[1] != self.gives):
                raise ValueError(f"w{number} {made.shape}, b{number} {bias.shape}")
            self._layers.append((made, bias))
            self.takes, self.gives = self._layers[0][0].shape[1], len(made)
        if not self._layers:
            raise ValueError("no layer w0 (layers are w0, b0, w1, b1 …)")

    def logits(self, observation: NDArray[Any], mask: NDArray[np.int8]) -> Floats:
        """Return a number for each action."""
        found = observation.reshape(-1).astype(np.float32)
        for number, (weights, bias) in enumerate(self._layers):
            found = weights @ (np.maximum(found, 0) if number else found) + bias
        return found


class Onnx:
    """A net that onnxruntime runs on one thread."""

    def __init__(self, path: Path) -> None:
        try:
            runtime: Any = import_module("onnxruntime")
        except ModuleNotFoundError as wrong:
            raise missing_extra(wrong.name) or wrong from wrong
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        self._session = runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self._inputs = self._session.get_inputs()
        self._shape = [int(size) for size in self._inputs[0].shape[1:]]
        self.takes = math.prod(self._shape)
        self._output = self._session.get_outputs()[0]
        self.gives = int(self._output.shape[-1])
        unknown = [one.type for one in self._inputs if one.type not in _ONNX_TYPES]
        if unknown:
            raise ValueError(f"an input is a {unknown[0]}")
        self.logits(np.zeros(self.takes, np.int8), np.ones(self.gives, np.int8))  # a net that cannot run is refused

    def logits(self, observation: NDArray[Any], mask: NDArray[np.int8]) -> Floats:
        """Return a number for each action."""
        given: dict[str, Any] = {}
        for number, one in enumerate(self._inputs):
            kind = _ONNX_TYPES[one.type]
            if number == 0:
                given[one.name] = observation.reshape(1, *self._shape).astype(kind)
            elif "mask" in one.name:
                given[one.name] = mask.reshape(1, -1).astype(kind)
            else:  # is_training
                given[one.name] = np.zeros([1 if isinstance(size, str) else size for size in one.shape], kind)
        found: Floats = np.asarray(self._session.run([self._output.name], given)[0], np.float32).reshape(-1)
        return found


class Net:
    """A policy for observations of one form."""

    def __init__(self, path: str, form: str, policy: Policy) -> None:
        self.path, self.form, self.policy = path, form, policy
        takes, gives = _size(form)
        if (policy.takes, policy.gives) != (takes, gives):
            raise BotError(
                f"{path}：网络收 {policy.takes} 个数、给 {policy.gives} 个行动；{form} 形式是 {takes} 与 {gives}。",
                f"{path}: the net takes {policy.takes} numbers and rates {policy.gives} actions; the form {form} has "
                f"{takes} and {gives}.",
            )

    def logits(self, observations: NDArray[Any], masks: NDArray[np.int8]) -> Floats:
        """Return the logits of a batch of observations, one row each."""
        return np.stack([self.policy.logits(one, mask) for one, mask in zip(observations, masks, strict=True)])

    def choose(self, observation: NDArray[Any], numbers: Mapping[int, Action]) -> Action:
        """Return the option that the net rates highest; of equals the one with the lowest number.

        Raises:
            BotError: a rating is not a number.
        """
        rated = self.rate(observation, numbers)
        return numbers[max(rated, key=lambda number: (rated[number], -number))]

    def rate(self, observation: NDArray[Any], numbers: Mapping[int, Action]) -> dict[int, float]:
        """Return the rating of each option by its number; an observation of options has a row for each, in this order.

        Raises:
            BotError: one is not a number.
        """
        if self.form == OPTIONS:
            ratings = self.logits(observation, np.ones((len(numbers), 1), np.int8))[:, 0]
            rated = dict(zip(numbers, ratings.tolist(), strict=True))
        else:
            mask = np.zeros(self.policy.gives, np.int8)
            mask[list(numbers)] = 1
            found = self.policy.logits(observation, mask)
            rated = {number: float(found[number]) for number in numbers}
        if not all(map(math.isfinite, rated.values())):
            raise BotError(f"{self.path}：网络的评分不是数。", f"{self.path}: the net's rating is not a number.")
        return rated


def _size(form: str) -> tuple[int, int]:
    """Return how many numbers an observation of a form has, and how many actions there are."""
    if form in PUBLIC_FORMS:
        return math.prod(public_form.SHAPE), public_form.ACTIONS
    if form == OPTIONS:
        return option_form.WIDTH, 1
    encodings = import_module("quepu.rl.encodings")
    return math.prod(encodings.encoding_of(form).shape), import_module("quepu.rl.action_numbers").COUNT


def load_net(text: str) -> Net:
    """Return the net of `FILE` or `FORM:FILE`; without a form the file says it, or it is `stale`.

    Raises:
        BotError: it is not a net, or one of another shape. HandError: it cannot be read.
        MissingExtra: onnxruntime is not installed.
    """
    form, colon, path = text.partition(":")
    if not colon or form not in FORMS:
        form, path = "", text
    if not path.strip():
        raise BotError("没有写网络的文件，如 net:policy.onnx。", "give the file of a net, for example net:policy.onnx.")
    try:
        return _load(path, form, Path(path).stat().st_mtime_ns)
    except OSError as wrong:
        raise cannot_read(path, wrong) from wrong


@lru_cache(4)
def _load(path: str, form: str, _changed: int) -> Net:
    end = Path(path).suffix.lower()
    if end not in (".onnx", ".npz", ".safetensors"):
        raise BotError(
            f"{path}：网络应是 .onnx、.safetensors 或 .npz。", f"{path}: a net is .onnx, .safetensors or .npz."
        )
    said = ""
    policy: Policy
    try:
        if end == ".onnx":
            policy = Onnx(Path(path))
        else:
            arrays, said = _read_npz(path) if end == ".npz" else _read_safetensors(path)
            policy = Layers(arrays)
    except (OSError, BotError, ImportError):
        raise
    except Exception as wrong:  # a broken file can raise anything, and onnxruntime has errors of its own
        why = str(wrong).splitlines()[0][:80] if str(wrong) else type(wrong).__name__
        raise BotError(f"{path} 不是这样的网络：{why}。", f"{path} is not such a net: {why}.") from wrong
    form = form or said or "stale"
    if form not in FORMS:
        listed = ", ".join(FORMS)
        raise BotError(f"{path}：形式是 {listed}，不是“{form}”。", f"{path}: a form is {listed}, not {form!r}.")
    return Net(path, form, policy)


def _read_npz(path: str) -> tuple[dict[str, NDArray[Any]], str]:
    with np.load(path, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    form = arrays.pop("form", None)
    return arrays, "" if form is None else str(form)


def _read_safetensors(path: str) -> tuple[dict[str, NDArray[Any]], str]:
    """Read the format: eight bytes for the length of a JSON header, the header, then the numbers."""
    data = Path(path).read_bytes()
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 + length or len(data) > _MOST:
        raise ValueError("the header does not fit in the file")
    header = json.loads(data[8 : 8 + length])
    about = header.pop("__metadata__", {})
    arrays = {}
    for name, one in header.items():
        first, last = one["data_offsets"]
        part = data[8 + length + first : 8 + length + last]
        arrays[name] = np.frombuffer(part, _TYPES[one["dtype"]]).reshape(one["shape"])
    return arrays, str(about.get("form", ""))


def explain_refusal(net: Net, book: Rulebook, *, builds: bool = True) -> Text | None:
    """Return why a net cannot play a book (the public form is 国标's); None if it can.

    Unless it `builds`, the form `options` needs tables of the book that exist: building them takes some ten seconds.
    """
    if net.form in PUBLIC_FORMS:
        return botzone_requests.explain_refusal(book)
    if net.form == OPTIONS and not builds and not payable(book).ready():
        return Text(
            "这个网络要查规则的表，这本自定规则还没有表：请换一个机器人，或用内置的规则。",
            "this net reads tables of the rulebook, and these house rules have none yet: choose another bot, or a "
            "rulebook without changes.",
        )
    return None


class NetBot:
    """A bot that plays what a net rates highest. It has to be shown the events of a hand for the stale form."""

    def __init__(self, net: Net) -> None:
        self.net = net
        self._memory = public_form.Memory(0)
        self._table: Table | None = None
        self._book: Rulebook | None = None
        self._rows: option_form.OptionForm | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return load_bot, (f"{self.net.form}:{self.net.path}",)

    def begin(self, book: Rulebook, seat: int) -> None:
        """Prepare for a hand."""
        self._memory = public_form.Memory(seat)
        self._table = self._rows = None
        self._book = book

    def watch(self, event: Event | int) -> None:
        """Remember an event."""
        self._memory.add(event)

    def sit(self, table: Table) -> None:
        """Sit down at a table, of which only the own view is encoded (quepu's own encodings need it)."""
        self._table = table

    def act(self, view: View, options: Sequence[Action]) -> Action:
        """Return the option that the net rates highest; without one that it knows, what a timeout would do."""
        if view.has_flower and self.net.form in (*PUBLIC_FORMS, OPTIONS):  # these forms have no flowers
            return without_flower(options)
        numbers = self.number_options(options)
        if not numbers:
            return timeout(list(options))
        if len(numbers) == 1 and len(options) == 1:
            return options[0]
        return self.net.choose(self.observe(view, numbers), numbers)

    def number_options(self, options: Sequence[Action]) -> dict[int, Action]:
        """Return the options by their numbers in the net's form."""
        if self.net.form in PUBLIC_FORMS:
            return public_form.number_options(options)
        if self.net.form == OPTIONS:
            return dict(enumerate(option_form.distinct(options)))
        found: dict[int, Action] = import_module("quepu.rl.action_numbers").number_options(options)
        return found

    def odds(self, view: View, options: Sequence[Action]) -> list[tuple[Action, float]]:
        """Return the options that the net knows with their probabilities, the likeliest first.

        Raises:
            BotError: a rating is not a number.
        """
        numbers = self.number_options(options)
        if not numbers:
            return []
        rated = self.net.rate(self.observe(view, numbers), numbers)
        most = max(rated.values())
        odds = {number: math.exp(rating - most) for number, rating in rated.items()}
        whole = sum(odds.values())
        return [(numbers[number], odds[number] / whole) for number in sorted(odds, key=lambda one: (-odds[one], one))]

    def observe(self, view: View, numbers: Mapping[int, Action] = MappingProxyType({})) -> NDArray[Any]:
        """Return the observation of a view; `numbers` are the options, which the form `options` describes.

        Raises:
            BotError: the form needs a table, and the bot does not sit at one.
        """
        if self.net.form in PUBLIC_FORMS:
            return public_form.observe(view, self._memory if self.net.form == "stale" else None)
        if self.net.form == OPTIONS and self._book is not None:
            self._rows = self._rows or option_form.form_of(self._book)  # where it acts: loading tables takes time
            return self._rows.observe(view, list(numbers.values()))
        if self._table is None:
            raise BotError(
                f"{self.net.path}：{self.net.form} 形式的网络只能在 simulate、gauntlet 与 quepu.arena 里打。",
                f"{self.net.path}: a net for {self.net.form} plays only in simulate, gauntlet and quepu.arena.",
            )
        seen: NDArray[Any] = import_module("quepu.rl.writer").observe(self._table, view.seat, self.net.form)
        return seen


def load_bot(text: str) -> NetBot:
    """Return a bot for the net of `FILE` or `FORM:FILE`."""
    return NetBot(load_net(text))
