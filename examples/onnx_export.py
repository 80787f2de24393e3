"""Export a network of network.py as ONNX, with its features as part of the graph, for `net:counts:FILE`.

pip install onnx
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from network import Network
from onnx import helper, numpy_helper

from quepu.rl import action_numbers
from quepu.rl.layout import CHOWS, CONCEALED, DRAWN, HAND, KONGS, OFFER, PUNGS, RIVER, ROWS, SCALAR, SCALARS, WIDTH

Array = np.ndarray[Any, Any]
KINDS = 34


def sums() -> Array:
    """Rows of counts to add up: own tiles, drawn, offered, own chows, own pungs and kongs, all pungs and kongs."""
    made = np.zeros((6, ROWS), np.float32)
    made[0, [HAND, DRAWN]] = 1
    for number, row in ((1, DRAWN), (2, OFFER), (3, CHOWS)):
        made[number, row] = 1
    made[4, [PUNGS, KONGS, KONGS + 4, CONCEALED]] = 1
    made[5, PUNGS : PUNGS + 4], made[5, KONGS : KONGS + 12] = 3, 4
    return made


def shifts() -> Array:
    """A chow by its lowest tile as its three tiles: [34, 34]."""
    return sum((np.eye(KINDS, k=step, dtype=np.float32) for step in range(3)), np.zeros((KINDS, KINDS), np.float32))


def nodes() -> list[Any]:
    """The graph: what `network.features` and `Network.forward` compute, node by node."""
    made: list[Any] = []

    def node(kind: str, given: str, result: str, **attributes: Any) -> None:
        made.append(helper.make_node(kind, given.split(), [result], **attributes))

    node("Slice", "observation zero kinds last", "tiles")
    node("MatMul", "sums tiles", "summed")
    node("Split", "summed", "own", axis=1, num_outputs=6)
    made[-1].output[:] = ["own", "drawn", "offered", "chows", "sets", "alike"]
    node("GreaterOrEqual", "own copies", "enough")  # [n, 1, 34] with [4, 1] is [n, 4, 34]
    node("Cast", "enough", "planes", to=onnx.TensorProto.FLOAT)
    node("Slice", "tiles chow_first chow_last rows", "chow_rows")
    node("ReduceSum", "chow_rows rows", "all_chows", keepdims=1)
    node("MatMul", "all_chows shifts", "run_tiles")
    node("Slice", "tiles river_first river_last rows", "river")
    node("Sign", "river", "lying")
    node("ReduceSum", "lying rows", "discarded", keepdims=1)
    node("Sum", "alike run_tiles discarded", "everywhere")
    node("Mul", "everywhere quarter", "open")
    node("Concat", "planes drawn offered chows sets open", "every", axis=1)
    node("Flatten", "every", "flat")
    node("Flatten", "observation", "numbers")
    node("Gather", "numbers offerer", "offerer_seat", axis=1)
    node("Equal", "offerer_seat seats", "is_offerer")
    node("Cast", "is_offerer", "offerers", to=onnx.TensorProto.FLOAT)
    node("Concat", "flat offerers action_mask", "seen", axis=1)
    node("Gemm", "seen w1 b1", "raised")
    node("Relu", "raised", "hidden")
    node("Gemm", "hidden w2 b2", "rated")
    node("Sub", "one action_mask", "shut")
    node("Mul", "shut far", "below")
    node("Sub", "rated below", "logits")
    return made


def export(network: Network, file: str | Path) -> None:
    """Write a network as ONNX: it takes `observation` (counts) and `action_mask`, and gives `logits`."""
    w1, b1, w2, b2, *_ = network.weights
    stored: dict[str, Any] = {
        "w1": w1, "b1": b1, "w2": w2, "b2": b2, "sums": sums(), "shifts": shifts(), "one": np.float32(1),
        "far": np.float32(1e4), "quarter": np.float32(0.25), "copies": np.arange(1, 5, dtype=np.float32)[:, None],
        "seats": np.arange(1, 5, dtype=np.float32), "zero": [0], "kinds": [KINDS], "last": [2], "rows": [1],
        "chow_first": [CHOWS], "chow_last": [CHOWS + 4], "river_first": [RIVER], "river_last": [RIVER + 16],
        "offerer": [SCALARS * WIDTH + SCALAR.index("offerer")],
    }  # fmt: skip
    shapes: dict[str, list[str | int]] = {"observation": ["n", ROWS, WIDTH], "action_mask": ["n", action_numbers.COUNT]}
    given = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    answer = helper.make_tensor_value_info("logits", onnx.TensorProto.FLOAT, ["n", action_numbers.COUNT])
    arrays = [numpy_helper.from_array(np.asarray(one), name) for name, one in stored.items()]
    graph = helper.make_graph(nodes(), "policy", given, [answer], arrays)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9), str(file))
