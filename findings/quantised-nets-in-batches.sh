#!/usr/bin/env bash
# Does a quantised net choose the same discard for a hand alone and among other hands?
#
# Versions: onnxruntime 1.32.0, onnx 1.23.2 (PyPI), `quantize_dynamic`: a net of two layers with fixed weights, 512 hands of 13 tiles as counts.
# Guess: each row of a batch is computed from that row, so quantising costs some accuracy once and the choices stay the same.
# Behaviour: a dynamically quantised layer takes the scale of its input from the whole batch, so the answer for a hand depends on the hands
#     beside it: alone each has other logits, and some have another best discard. The float net answers alike. A record of games that were played in
#     batches then cannot be verified one by one, and a bot's strength depends on the size of the batch. Use floats or static
#     quantisation, whose scales are in the file, or ask for one hand at a time.
# Seen:
#     float: another best discard for none of 512 hands
#     quantised: other logits for all of 512 hands, another best discard for some
#     quantised, 64 and 512 together: other logits for some, another best discard for some
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -qq --disable-pip-version-check onnxruntime==1.32.0 onnx==1.23.2 numpy
found=$(cd "$work" && "$work/venv/bin/python" - 2>"$work/errors" <<'PYTHON'
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

random = np.random.default_rng(1)
weights = [random.normal(size=shape).astype("f4") / 6 for shape in ((34, 128), (128, 34))]
nodes = [
    helper.make_node("MatMul", ["hands", "w0"], ["sum"]),
    helper.make_node("Relu", ["sum"], ["hidden"]),
    helper.make_node("MatMul", ["hidden", "w1"], ["logits"]),
]
graph = helper.make_graph(
    nodes,
    "policy",
    [helper.make_tensor_value_info("hands", TensorProto.FLOAT, ["n", 34])],
    [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", 34])],
    [numpy_helper.from_array(one, f"w{number}") for number, one in enumerate(weights)],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
model.ir_version = 8
onnx.save(model, "float.onnx")
quantize_dynamic("float.onnx", "quantised.onnx", weight_type=QuantType.QInt8)

deck = np.repeat(np.arange(34), 4)
hands = np.stack([np.bincount(random.permutation(deck)[:13], minlength=34) for _ in range(512)]).astype("f4")
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
options.log_severity_level = 3


def answers(name: str, size: int) -> np.ndarray:
    session = onnxruntime.InferenceSession(name, options, providers=["CPUExecutionProvider"])
    parts = [session.run(None, {"hands": hands[at : at + size]})[0] for at in range(0, 512, size)]
    return np.where(hands > 0, np.concatenate(parts), -np.inf)


def compared(one: np.ndarray, other: np.ndarray) -> tuple[str, str]:
    logits = (one != other).any(1).sum()
    choices = (one.argmax(1) != other.argmax(1)).sum()
    return tuple("none" if not count else "all" if count == 512 else "some" for count in (logits, choices))


alone, together = answers("float.onnx", 1), answers("float.onnx", 512)
print(f"float: another best discard for {compared(alone, together)[1]} of 512 hands")
alone, together, halves = (answers("quantised.onnx", size) for size in (1, 512, 64))
logits, choices = compared(alone, together)
print(f"quantised: other logits for {logits} of 512 hands, another best discard for {choices}")
logits, choices = compared(halves, together)
print(f"quantised, 64 and 512 together: other logits for {logits}, another best discard for {choices}")
PYTHON
) || { cat "$work/errors"; exit 1; }
echo "$found"
[ "$found" = "$(sed -n '/^# Seen:/,/^set /s/^#     //p' "$0")" ]
