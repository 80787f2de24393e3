"""Machine instructions for compiled loops; `quepu.batch.fused` writes this text before its loops.

`straight` is a whole expression in one call. Lines of Python that say the same take numba twice as long to compile, for
it looks at every name in them.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic

_BINARY = {"&": "and_", "|": "or_", "^": "xor", "<<": "shl", ">>": "ashr", "+": "add", "-": "sub", "*": "mul"}


def _step(builder: Any, op: str, parts: list[Any]) -> Any:
    word = parts[0].type
    if op == "count":
        return builder.call(builder.module.declare_intrinsic("llvm.ctpop", [word]), parts)
    if op == "~":
        return builder.not_(*parts)
    if op in _BINARY:
        return getattr(builder, _BINARY[op])(*parts)
    return builder.zext(builder.icmp_signed(op, *parts), word)


@intrinsic
def count(_context: Any, _x: Any) -> Any:
    """The number of bits that are set."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _step(builder, "count", arguments)

    return types.int64(types.int64), code


@intrinsic(prefer_literal=True)
def straight(_context: Any, steps: Any, results: Any, planes: Any) -> Any:
    """Values of expressions, a tuple of int64, as `quepu.batch.fused.instructions` writes them.

    steps: `op number …` of each, the numbers being those of the planes and of the steps before it. results: the numbers
    of what is wanted. planes: a tuple of integers.
    """
    wanted = results.literal_value.split()

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        found = [builder.extract_value(arguments[2], at) for at in range(len(planes))]
        for step in steps.literal_value.split(";"):
            op, *of = step.split()
            if op == "const":
                found.append(context.get_constant(types.int64, int(of[0])))
            else:
                found.append(_step(builder, op, [found[int(at)] for at in of]))
        return context.make_tuple(builder, signature.return_type, [found[int(at)] for at in wanted])

    words = [types.Tuple([types.int64] * n) for n in (len(wanted), len(planes))]
    return words[0](steps, results, words[1]), code
