"""Nets as bots: three kinds of files, every form, equal answers alone and in a batch, one sentence for a wrong net."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quepu.arena import Plan, match, play_hand, simulate
from quepu.bots import make_bot, nets, public_form
from quepu.bots.line_process import BotError
from quepu.bots.option_form import OptionForm
from quepu.cli import run
from quepu.errors import Error
from quepu.match import read_log
from quepu.rulebooks import book
from quepu.table import ActionKind, Table, make_wall
from tests.bots.test_option_form import positions
from tests.bots.test_public_form import decisions
from tests.cli.run import outside

SAMPLE = Path(__file__).parents[2] / "examples" / "plain.npz"
DISTILLED = SAMPLE.with_name("master.npz")
Arrays = dict[str, Any]


def layers(takes: int = 1368, gives: int = 235, hidden: int = 16, seed: int = 1) -> Arrays:
    rng = np.random.default_rng(seed)
    sizes = {"w0": (hidden, takes), "b0": (hidden,), "w1": (gives, hidden), "b1": (gives,)}
    return {name: rng.normal(0, 0.2, size).astype(np.float32) for name, size in sizes.items()}


def write_safetensors(file: Path, arrays: Arrays, form: str = "") -> None:
    header: dict[str, Any] = {"__metadata__": {"form": form}} if form else {}
    data = b""
    for name, one in arrays.items():
        part = one.astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(one.shape), "data_offsets": [len(data), len(data) + len(part)]}
        data += part
    text = json.dumps(header).encode()
    file.write_bytes(len(text).to_bytes(8, "little") + text + data)


def write_onnx(file: Path, arrays: Arrays, kind: str = "FLOAT") -> None:
    """A net with a batch of any size, as PyTorch exports it, that also asks for the mask, both as numbers of a kind."""
    onnx = pytest.importorskip("onnx", reason="onnx is not installed")
    helper, numbers = onnx.helper, onnx.TensorProto.FLOAT
    stored = [onnx.numpy_helper.from_array(one, name) for name, one in arrays.items()]
    nodes = [
        helper.make_node("Cast", ["observation"], ["seen"], to=numbers),
        helper.make_node("Cast", ["action_mask"], ["mask"], to=numbers),
        helper.make_node("Flatten", ["seen"], ["x"]),
        helper.make_node("Gemm", ["x", "w0", "b0"], ["h"], transB=1),
        helper.make_node("Relu", ["h"], ["r"]),
        helper.make_node("Gemm", ["r", "w1", "b1"], ["raw"], transB=1),
        helper.make_node("Log", ["mask"], ["shut"]),
        helper.make_node("Clip", ["shut", "low"], ["closed"]),
        helper.make_node("Add", ["raw", "closed"], ["logits"]),
    ]
    stored.append(onnx.numpy_helper.from_array(np.float32(-1e38), "low"))
    shapes = {"observation": ["n", 38, 4, 9], "action_mask": ["n", 235], "logits": ["n", 235]}
    given = getattr(onnx.TensorProto, kind)
    values = {
        name: helper.make_tensor_value_info(name, numbers if name == "logits" else given, shape)
        for name, shape in shapes.items()
    }
    graph = helper.make_graph(nodes, "net", [values["observation"], values["action_mask"]], [values["logits"]], stored)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(made, str(file))


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    found = [tmp_path / f"net.{end}" for end in ("npz", "safetensors")]
    np.savez(found[0], **layers())
    write_safetensors(found[1], layers())
    return found


def observations(number: int) -> tuple[Any, Any]:
    seen = []
    for view, options, _, memory, _ in decisions(8):
        seen.append((public_form.observe(view, memory), public_form.action_mask(options)))
        if len(seen) == number:
            break
    first, second = zip(*seen, strict=True)
    return np.stack(first), np.stack(second)


def same_alone_and_together(net: nets.Net) -> Any:
    planes, masks = observations(200)
    whole = net.logits(planes, masks)
    assert all(
        net.logits(planes[at : at + 1], masks[at : at + 1]).tobytes() == whole[at].tobytes() for at in range(200)
    )
    assert net.logits(planes[50:150], masks[50:150]).tobytes() == whole[50:150].tobytes()
    return whole


def test_answers_are_bitwise_equal_alone_and_in_a_batch(files: list[Path]) -> None:
    first, second = (same_alone_and_together(nets.load_net(str(file))) for file in files)
    assert first.tobytes() == second.tobytes()
    stored = layers()
    planes, _ = observations(200)
    x = planes.reshape(200, -1).astype(np.float64)
    right = np.maximum(x @ stored["w0"].T + stored["b0"], 0) @ stored["w1"].T + stored["b1"]
    assert np.allclose(first, right, atol=1e-3)


def test_onnx_answers_as_the_same_layers_in_numpy(files: list[Path], tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="the extra [nets] is not installed")
    write_onnx(tmp_path / "net.onnx", layers())
    made = same_alone_and_together(nets.load_net(str(tmp_path / "net.onnx")))
    _, masks = observations(200)
    own = nets.load_net(str(files[0])).logits(*observations(200))
    assert np.allclose(np.where(masks, made, 0), np.where(masks, own, 0), atol=1e-3)
    table = play_hand("guobiao-mcr", make_wall(1, own=True), [f"net:{tmp_path / 'net.onnx'}"] * 4)
    assert table.over


@pytest.mark.parametrize("kind", ["DOUBLE", "FLOAT16", "INT8", "INT16", "INT64", "UINT8", "BOOL"])
def test_onnx_gets_numbers_of_the_kind_it_was_exported_with(kind: str, tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="the extra [nets] is not installed")
    planes, masks = observations(3)
    planes = (planes > 0).astype(planes.dtype)
    found = []
    for name in ("FLOAT", kind):
        write_onnx(tmp_path / f"{name}.onnx", layers(), name)
        found.append(nets.load_net(str(tmp_path / f"{name}.onnx")).logits(planes, masks))
    assert found[0].tobytes() == found[1].tobytes()


def test_onnx_with_inputs_that_are_no_numbers_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="the extra [nets] is not installed")
    onnx = pytest.importorskip("onnx", reason="onnx is not installed")
    write_onnx(tmp_path / "net.onnx", layers())
    made = onnx.load(tmp_path / "net.onnx")
    made.graph.input[1].type.tensor_type.elem_type = onnx.TensorProto.COMPLEX64
    onnx.save(made, str(tmp_path / "net.onnx"))
    with pytest.raises(BotError, match=r"net\.onnx"):
        nets.load_net(str(tmp_path / "net.onnx"))


def test_whole_numbers_with_scales_are_the_same_net(tmp_path: Path) -> None:
    whole = layers()
    stored = {**whole, "w0": (whole["w0"] * 50).round().astype(np.int8), "s0": np.full(16, 0.02, np.float32)}
    np.savez(tmp_path / "small.npz", **stored)
    np.savez(tmp_path / "large.npz", **{**whole, "w0": stored["w0"].astype(np.float32) * np.float32(0.02)})
    small, large = (
        nets.load_net(str(tmp_path / f"{name}.npz")).logits(*observations(20)) for name in ("small", "large")
    )
    assert small.tobytes() == large.tobytes()


QUICK = {("stale", "guobiao-mcr"), ("fresh", "canton"), ("counts", "guobiao-mcr"), ("options", "guobiao-mcr")}


@pytest.mark.parametrize(
    ("form", "name"),
    [
        pytest.param(form, name, marks=() if (form, name) in QUICK else pytest.mark.long)
        for form in ("stale", "fresh", "counts", "options", "planes")
        for name in ("guobiao-mcr", "canton")
    ],
)
def test_a_net_of_every_form_plays_and_its_log_verifies(form: str, name: str, tmp_path: Path) -> None:
    if form in ("counts", "planes"):
        pytest.importorskip("pettingzoo")
    takes, gives = nets._size(form)
    file, log = tmp_path / "net.npz", tmp_path / "match.jsonl"
    np.savez(file, form=np.array(form), **layers(takes, gives, 4))
    match(name, [f"net:{file}", "closed", f"net:{form}:{file}", "random"], seed=3, rounds=1, log=log)
    replay = read_log(log)
    assert not replay.remarks
    assert run(["verify", str(log)]) == 0


def test_stale_and_fresh_observations_differ_at_claims_alone() -> None:
    bots = {form: nets.NetBot(nets.Net("x", form, nets.Layers(layers()))) for form in ("stale", "fresh")}
    for view, _, _, memory, _ in decisions(2):
        bots["stale"]._memory = memory
        differ = not np.array_equal(*(bot.observe(view) for bot in bots.values()))
        assert differ is (view.drawn is None and view.board.offer is not None)


def test_the_sample_is_small_agrees_with_its_teacher_and_plays() -> None:
    assert SAMPLE.stat().st_size < 1 << 20
    bot = make_bot(f"net:{SAMPLE}")
    assert isinstance(bot, nets.NetBot)
    right = total = 0
    for view, options, chosen, memory, _ in decisions(6, "plain"):
        if len(options) > 1:
            bot._memory = memory
            total += 1
            right += bot.act(view, options)[:3] == chosen[:3]
    assert right / total > 0.35
    stats = simulate(Plan("guobiao-mcr", (f"net:{SAMPLE}", "random", "random", "random"), 4, 1, True, own_walls=True))
    assert stats.hands == 16 and stats.players[0].claims > 0
    again = pickle.loads(pickle.dumps(bot)).net
    assert (again.path, again.form) == (bot.net.path, bot.net.form)


def test_options_are_rated_bitwise_equally_alone_and_in_a_batch() -> None:
    net = nets.load_net(str(DISTILLED))
    rows = np.concatenate([
        OptionForm(view.book).observe(view, options) for view, options, _, _ in positions("guobiao-mcr", 1, "plain")
    ])  # fmt: skip
    mask = np.ones((len(rows), 1), np.int8)
    whole = net.logits(rows, mask)
    assert net.logits(rows[::-1], mask)[::-1].tobytes() == whole.tobytes()
    for at in range(0, len(rows), 7):
        assert net.logits(rows[at : at + 1], mask[:1]).tobytes() == whole[at].tobytes()


@pytest.mark.parametrize("name", ["guobiao-mcr", "lingque-29"])
def test_the_distilled_net_is_small_and_agrees_with_master(name: str) -> None:
    assert DISTILLED.stat().st_size < 100_000
    bot = make_bot(f"net:{DISTILLED}")
    assert isinstance(bot, nets.NetBot) and bot.net.form == "options"
    right = total = wins = 0
    bot.begin(book(name), 0)
    for view, _, chosen, table in positions(name, 5, "master"):
        made = bot.act(view, table.options(view.seat))
        total += 1
        right += made[:3] == chosen[:3]
        wins += chosen.do is ActionKind.WIN
        assert made.do is ActionKind.WIN or chosen.do is not ActionKind.WIN
    assert right / total > 0.93 and wins


# ---- what is wrong with a file


def test_a_net_of_the_wrong_shape_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "net.npz"
    np.savez(file, **layers(100, 10))
    done = outside("simulate", "-r", "guobiao-mcr", "-b", f"net:{file},plain,plain,plain", "-n", "1", "--lang", "en")
    assert done.code == 2 and done.err.count("\n") == 1
    assert "takes 100 numbers and rates 10 actions; the form stale has 1368 and 235" in done.err


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.npz", b""), ("a.npz", b"PK\x03\x04nonsense"), ("a.safetensors", b"\xff" * 9), ("a.safetensors", b"{}"),
     ("a.safetensors", (3).to_bytes(8, "little") + b"{}}"), ("a.pt", b"x"), ("a.onnx", b"nonsense"), ("a", b"")],
    ids=range(8),
)  # fmt: skip
def test_a_file_that_is_no_net_is_refused(name: str, content: bytes, tmp_path: Path) -> None:
    if name.endswith(".onnx"):
        pytest.importorskip("onnxruntime", reason="the extra [nets] is not installed")
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BotError, match=name):
        make_bot(f"net:{tmp_path / name}")


@pytest.mark.parametrize(
    "change", [{"w0": np.zeros((3, 1368))}, {"b0": np.zeros(7)}, {"w1": np.zeros(5)}, {"w0": None}]
)
def test_layers_that_do_not_fit_are_refused(change: Arrays, tmp_path: Path) -> None:
    arrays = {name: one for name, one in {**layers(), **change}.items() if one is not None}
    np.savez(tmp_path / "net.npz", **arrays)
    with pytest.raises(BotError, match=r"net\.npz"):
        make_bot(f"net:{tmp_path / 'net.npz'}")


def test_missing_files_forms_and_numbers_that_are_none(tmp_path: Path) -> None:
    for text in ("net:", "net:stale:", f"net:{tmp_path / 'none.npz'}", f"net:{tmp_path}"):
        with pytest.raises(Error):
            make_bot(text)
    file = tmp_path / "net.npz"
    np.savez(file, form=np.array("round"), **layers())
    with pytest.raises(BotError, match="round"):
        make_bot(f"net:{file}")
    np.savez(file, **{**layers(), "b1": np.full(235, np.nan, np.float32)})
    with pytest.raises(BotError, match=r"不是数|not a number"):
        play_hand("guobiao-mcr", make_wall(1), [f"net:{file}", "plain", "plain", "plain"])
    takes, gives = nets._size("counts")
    np.savez(file, form=np.array("counts"), **layers(takes, gives, 4))
    table = Table(book("canton"), make_wall(1))
    alone = make_bot(f"net:{file}")
    alone.begin(table.book, 0)
    with pytest.raises(BotError, match="counts"):
        alone.act(table.view(0), table.options(0))


def test_a_file_without_layers_says_what_is_missing(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", a=np.zeros(3))
    (tmp_path / "a.safetensors").write_bytes((1 << 60).to_bytes(8, "little") + b"{}")
    for name, why in (("a.npz", "no layer w0"), ("a.safetensors", "the header does not fit in the file")):
        with pytest.raises(BotError) as refused:
            nets.load_net(str(tmp_path / name))
        assert why in refused.value.text.en
