"""Machine instructions for compiled loops; the plain twins are Python's own operators and `int.bit_count`.

`straight` is a whole expression in one call. Lines of Python that say the same take numba twice as long to compile, for
it looks at every name in them.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
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


def _at(builder: Any, word: Any, address: Any, index: Any) -> Any:
    return builder.gep(builder.inttoptr(address, word.as_pointer()), [index])


@intrinsic
def byte_at(_context: Any, _address: Any, _index: Any) -> Any:
    """The byte so many bytes behind an address."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.zext(builder.load(_at(builder, ir.IntType(8), *arguments)), ir.IntType(64))

    return types.int64(types.int64, types.int64), code


@intrinsic
def word_at(_context: Any, _address: Any, _index: Any) -> Any:
    """The word so many words behind an address."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.load(_at(builder, ir.IntType(64), *arguments))

    return types.int64(types.int64, types.int64), code


@intrinsic
def at_least(_context: Any, _address: Any, _index: Any, _least: Any) -> Any:
    """Compare eight bytes, so many bytes behind an address, with a least number: a bit each."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        address, index, least = arguments
        place, eight = _at(builder, ir.IntType(8), address, index), ir.VectorType(ir.IntType(8), 8)
        found = builder.load(builder.bitcast(place, eight.as_pointer()), align=1)
        others = ir.Constant(eight, ir.Undefined)
        for at in range(8):
            others = builder.insert_element(others, builder.trunc(least, ir.IntType(8)), ir.IntType(32)(at))
        bits = builder.bitcast(builder.icmp_unsigned(">=", found, others), ir.IntType(8))
        return builder.zext(bits, ir.IntType(64))

    return types.int64(types.int64, types.int64, types.int64), code


@intrinsic
def address_of(_context: Any, array: Any) -> Any:
    """The address of the first item of an array."""

    def code(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        held = context.make_array(array)(context, builder, arguments[0])
        return builder.ptrtoint(held.data, ir.IntType(64))

    return types.int64(array), code


@intrinsic
def put_word(_context: Any, _address: Any, _index: Any, _word: Any) -> Any:
    """Write a word so many words behind an address."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], _at(builder, ir.IntType(64), *arguments[:2]))
        return arguments[2]

    return types.int64(types.int64, types.int64, types.int64), code


def _loaded(context: Any, builder: Any, array: Any, value: Any, index: Any) -> Any:
    held = context.make_array(array)(context, builder, value)
    at = cgutils.get_item_pointer(context, builder, array, held, [index], wraparound=False)
    return context.cast(builder, context.unpack_value(builder, array.dtype, at), array.dtype, types.int64)


@intrinsic(prefer_literal=True)
def straight(_context: Any, steps: Any, results: Any, *planes: Any) -> Any:
    """Values of expressions, a tuple of int64, as `quepu.fast.compiled.conditions.instructions` writes them.

    steps: `op number …` of each, the numbers being those of the planes and of the steps before it. results: the numbers
    of what is wanted. planes: integers, or arrays of them, an index behind each; an item is loaded where it is used.
    """
    wanted = results.literal_value.split()

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = signature.args[2].types
        values = [builder.extract_value(arguments[2], at) for at in range(len(kinds))]
        given: list[Any] = []
        at = 0
        while at < len(kinds):
            if isinstance(kinds[at], types.Array):
                index = context.cast(builder, values[at + 1], kinds[at + 1], types.intp)
                given.append(partial(_loaded, context, builder, kinds[at], values[at], index))
                at += 1
            else:
                given.append(partial(context.cast, builder, values[at], kinds[at], types.int64))
            at += 1
        found: list[Any] = [None] * len(given)

        def part(number: str) -> Any:
            if found[int(number)] is None:
                found[int(number)] = given[int(number)]()
            return found[int(number)]

        for step in steps.literal_value.split(";"):
            op, *of = step.split()
            if op == "const":
                found.append(context.get_constant(types.int64, int(of[0])))
            else:
                found.append(_step(builder, op, list(map(part, of))))
        return context.make_tuple(builder, signature.return_type, list(map(part, wanted)))

    return types.Tuple([types.int64] * len(wanted))(steps, results, types.StarArgTuple.from_types(planes)), code
