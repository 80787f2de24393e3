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
from numba.np.arrayobj import populate_array

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
    """Return the number of bits that are set."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _step(builder, "count", arguments)

    return types.int64(types.int64), code


def _at(builder: Any, word: Any, address: Any, index: Any) -> Any:
    return builder.gep(builder.inttoptr(address, word.as_pointer()), [index])


@intrinsic
def byte_at(_context: Any, _address: Any, _index: Any) -> Any:
    """Return the byte so many bytes behind an address."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.zext(builder.load(_at(builder, ir.IntType(8), *arguments)), ir.IntType(64))

    return types.int64(types.int64, types.int64), code


@intrinsic
def word_at(_context: Any, _address: Any, _index: Any) -> Any:
    """Return the word so many words behind an address."""

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
def put_word(_context: Any, _address: Any, _index: Any, _word: Any) -> Any:
    """Write a word so many words behind an address."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], _at(builder, ir.IntType(64), *arguments[:2]))
        return arguments[2]

    return types.int64(types.int64, types.int64, types.int64), code


def _array_of(kind: Any) -> Any:
    @intrinsic
    def array(_context: Any, _address: Any, shape: Any) -> Any:
        """Return the array at an address (a word), of this shape (a tuple), in C order."""
        made = types.Array(kind, len(shape), "C")

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            size = context.get_abi_sizeof(context.get_data_type(kind))
            lengths = [
                context.cast(builder, builder.extract_value(arguments[1], at), signature.args[1][at], types.intp)
                for at in range(len(shape))
            ]
            step: Any = context.get_constant(types.intp, size)
            steps: list[Any] = []
            for length in reversed(lengths):
                steps.insert(0, step)
                step = builder.mul(step, length)
            found = context.make_array(made)(context, builder)
            data = builder.inttoptr(arguments[0], context.get_data_type(kind).as_pointer())
            populate_array(
                found, data=data, shape=lengths, strides=steps, itemsize=context.get_constant(types.intp, size),
                meminfo=None,
            )  # fmt: skip
            return found._getvalue()

        return made(types.int64, shape), code

    return array


int64s, int32s, int16s = _array_of(types.int64), _array_of(types.int32), _array_of(types.int16)
uint32s, uint16s, uint8s, int8s, truths, float64s = (
    _array_of(types.uint32), _array_of(types.uint16), _array_of(types.uint8), _array_of(types.int8),
    _array_of(types.bool_), _array_of(types.float64),
)  # fmt: skip


@intrinsic
def call(_context: Any, _address: Any, *arguments: Any) -> Any:
    """Call the function at an address with words (addresses are words, too); it returns one."""
    words = len(arguments)

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        word = ir.IntType(64)
        kinds = signature.args[1].types
        values = [builder.extract_value(given[1], at) for at in range(words)]
        values = [context.cast(builder, x, kind, types.int64) for x, kind in zip(values, kinds)]  # noqa: B905
        there = builder.inttoptr(given[0], ir.FunctionType(word, [word] * words).as_pointer())
        return builder.call(there, values)

    return types.int64(types.int64, types.StarArgTuple.from_types(arguments)), code


@intrinsic
def levels(_context: Any, counts: Any, row: Any) -> Any:
    """Return the tiles held at least once … four times, from a row of counts (uint8 [N, 34], C order): four planes."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte, word, wide = ir.IntType(8), ir.IntType(64), ir.VectorType(ir.IntType(8), 32)
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        start = builder.gep(builder.bitcast(array.data, byte.as_pointer()), [builder.mul(arguments[1], word(34))])
        most = builder.load(builder.bitcast(start, wide.as_pointer()), align=1)
        last = [builder.load(builder.gep(start, [word(at)])) for at in (32, 33)]
        found = []
        for n in (1, 2, 3, 4):
            held = builder.icmp_unsigned(">=", most, ir.Constant(wide, [n] * 32))
            bits = builder.zext(builder.bitcast(held, ir.IntType(32)), word)
            for at, one in ((32, last[0]), (33, last[1])):
                here = builder.zext(builder.icmp_unsigned(">=", one, byte(n)), word)
                bits = builder.or_(bits, builder.shl(here, word(at)))
            plane = word(0)
            for suit in range(4):
                lane = builder.and_(builder.lshr(bits, word(9 * suit)), word(0x1FF))
                plane = builder.or_(plane, builder.shl(lane, word(16 * suit)))
            found.append(plane)
        return context.make_tuple(builder, signature.return_type, found)

    return types.UniTuple(types.int64, 4)(counts, row), code


def _load_item(context: Any, builder: Any, array: Any, value: Any, index: Any) -> Any:
    held = context.make_array(array)(context, builder, value)
    at = cgutils.get_item_pointer(context, builder, array, held, [index], wraparound=False)
    return context.cast(builder, context.unpack_value(builder, array.dtype, at), array.dtype, types.int64)


@intrinsic(prefer_literal=True)
def straight(_context: Any, steps: Any, results: Any, *planes: Any) -> Any:
    """Return the values of expressions, a tuple of int64, as `quepu.fast.compiled.conditions.instructions` writes them.

    steps: `op number …` of each, the numbers being those of the planes and of the steps before it. results: the numbers
    of the results. planes: integers, or arrays of them, an index behind each; an item is loaded where it is used.
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
                given.append(partial(_load_item, context, builder, kinds[at], values[at], index))
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
