"""Looking at sixteen entries of a row at once.

A scan of a sparse row by plain branches costs a mispredicted jump for most of its new maxima, far more than reading the
entries. These functions answer one question about a block of LANES consecutive entries with a few vector instructions
and return the answer as a bit mask, lane j for entry e + j. The Python body is the meaning; on a processor with AVX-512
an overload replaces it by vector code, elsewhere Numba compiles the body. TROTH_VECTOR=0 asks for the body everywhere.

Keys (see graph/order.py) are int32 or int64; an array of stride 0 stands for equal keys that take no memory.
"""

import os

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from troth.kernels.jit import OPTIONS

LANES = 16

_I1, _I32, _I64 = ir.IntType(1), ir.IntType(32), ir.IntType(64)


def _have_vectors() -> bool:
    return os.environ.get("TROTH_VECTOR", "1") != "0" and bool(llvm.get_host_cpu_features().get("avx512f", False))


VECTOR = _have_vectors()


def at_least(keys, e, count, floor):
    """The lanes below count whose key is >= floor."""
    lanes = 0
    for j in range(min(count, LANES)):
        if keys[e + j] >= floor:
            lanes |= 1 << j
    return lanes


def largest(keys, e, lanes):
    """The largest key among the given lanes (there must be one), as int64."""
    best = -(1 << 62) * 2
    for j in range(LANES):
        if (lanes >> j) & 1 and keys[e + j] > best:
            best = keys[e + j]
    return best


def equal(keys, e, lanes, key):
    """Those of the given lanes whose key is exactly key."""
    same = 0
    for j in range(LANES):
        if (lanes >> j) & 1 and keys[e + j] == key:
            same |= 1 << j
    return same


def outbid(keys, indices, offers, e, lanes, shift, bits):
    """Compare keys >> shift with the offers that the neighbours hold (offer >> bits).

    Returns the lanes that are above, and, LANES bits higher, those that are equal and need a closer look.
    """
    above, level = 0, 0
    for j in range(LANES):
        if (lanes >> j) & 1:
            bid, held = keys[e + j] >> shift, offers[indices[e + j]] >> bits
            if bid > held:
                above |= 1 << j
            elif bid == held:
                level |= 1 << j
    return above | (level << LANES)


def lowest(lanes):
    """The number of the lowest lane set (there must be one)."""
    j = 0
    while not (lanes >> j) & 1:
        j += 1
    return j


def _vector(kind):
    return ir.VectorType(kind, LANES)


def _splat(builder, value):
    one = builder.insert_element(ir.Constant(_vector(value.type), ir.Undefined), value, _I32(0))
    return builder.shuffle_vector(one, one, ir.Constant(_vector(_I32), [0] * LANES))


def _call(builder, name, returns, args):
    kinds = [arg.type for arg in args]
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(returns, kinds), name)
    return builder.call(function, args)


def _mask(builder, lanes):
    return builder.bitcast(builder.trunc(lanes, ir.IntType(LANES)), _vector(_I1))


def _bits(builder, mask):
    return builder.zext(builder.bitcast(mask, ir.IntType(LANES)), _I64)


def _load(context, builder, array_type, array_value, e, mask):
    """The entries e ... e + LANES - 1 under the mask as a vector of int64; other lanes are 0 and are not touched."""
    array = context.make_array(array_type)(context, builder, array_value)
    kind = context.get_value_type(array_type.dtype)
    if array_type.layout != "C":
        block = _splat(builder, builder.load(array.data))
    else:
        pointer = builder.gep(array.data, [e])
        name = f"llvm.masked.load.v{LANES}i{kind.width}.p0"
        nothing = ir.Constant(_vector(kind), [0] * LANES)
        block = _call(builder, name, _vector(kind), [pointer, _I32(kind.width // 8), mask, nothing])
    return block if kind.width == 64 else builder.sext(block, _vector(_I64))


@intrinsic
def _at_least(typingctx, keys, e, count, floor):
    def codegen(context, builder, signature, args):
        order = ir.Constant(_vector(_I64), list(range(LANES)))
        mask = builder.icmp_signed("<", order, _splat(builder, args[2]))
        block = _load(context, builder, signature.args[0], args[0], args[1], mask)
        return _bits(builder, builder.and_(mask, builder.icmp_signed(">=", block, _splat(builder, args[3]))))

    return types.int64(keys, types.int64, types.int64, types.int64), codegen


@intrinsic
def _largest(typingctx, keys, e, lanes):
    def codegen(context, builder, signature, args):
        mask = _mask(builder, args[2])
        block = _load(context, builder, signature.args[0], args[0], args[1], mask)
        lowest_key = ir.Constant(_vector(_I64), [-(2**63)] * LANES)
        return _call(builder, f"llvm.vector.reduce.smax.v{LANES}i64", _I64, [builder.select(mask, block, lowest_key)])

    return types.int64(keys, types.int64, types.int64), codegen


@intrinsic
def _equal(typingctx, keys, e, lanes, key):
    def codegen(context, builder, signature, args):
        mask = _mask(builder, args[2])
        block = _load(context, builder, signature.args[0], args[0], args[1], mask)
        return _bits(builder, builder.and_(mask, builder.icmp_signed("==", block, _splat(builder, args[3]))))

    return types.int64(keys, types.int64, types.int64, types.int64), codegen


@intrinsic
def _outbid(typingctx, keys, indices, offers, e, lanes, shift, bits):
    def codegen(context, builder, signature, args):
        keys_type, indices_type, offers_type = signature.args[:3]
        mask = _mask(builder, args[4])
        bids = builder.ashr(_load(context, builder, keys_type, args[0], args[3], mask), _splat(builder, args[5]))
        neighbours = _load(context, builder, indices_type, args[1], args[3], mask)
        offers_array = context.make_array(offers_type)(context, builder, args[2])
        start = _splat(builder, builder.ptrtoint(offers_array.data, _I64))
        addresses = builder.add(start, builder.shl(neighbours, ir.Constant(_vector(_I64), [3] * LANES)))
        pointers = builder.inttoptr(addresses, _vector(ir.PointerType()))
        nothing = ir.Constant(_vector(_I64), [0] * LANES)
        name = f"llvm.masked.gather.v{LANES}i64.v{LANES}p0"
        seen = _call(builder, name, _vector(_I64), [pointers, _I32(8), mask, nothing])
        held = builder.ashr(seen, _splat(builder, args[6]))
        above = _bits(builder, builder.and_(mask, builder.icmp_signed(">", bids, held)))
        level = _bits(builder, builder.and_(mask, builder.icmp_signed("==", bids, held)))
        return builder.or_(above, builder.shl(level, _I64(LANES)))

    signature = types.int64(keys, indices, offers, types.int64, types.int64, types.int64, types.int64)
    return signature, codegen


@intrinsic
def _lowest(typingctx, lanes):
    def codegen(context, builder, signature, args):
        return _call(builder, "llvm.cttz.i64", _I64, [args[0], ir.Constant(_I1, 1)])

    return types.int64(types.int64), codegen


@overload(at_least, jit_options=OPTIONS)
def _overload_at_least(keys, e, count, floor):
    return (lambda keys, e, count, floor: _at_least(keys, e, count, floor)) if VECTOR else at_least


@overload(largest, jit_options=OPTIONS)
def _overload_largest(keys, e, lanes):
    return (lambda keys, e, lanes: _largest(keys, e, lanes)) if VECTOR else largest


@overload(equal, jit_options=OPTIONS)
def _overload_equal(keys, e, lanes, key):
    return (lambda keys, e, lanes, key: _equal(keys, e, lanes, key)) if VECTOR else equal


@overload(outbid, jit_options=OPTIONS)
def _overload_outbid(keys, indices, offers, e, lanes, shift, bits):
    if not VECTOR:
        return outbid
    return lambda keys, indices, offers, e, lanes, shift, bits: _outbid(keys, indices, offers, e, lanes, shift, bits)


@overload(lowest, jit_options=OPTIONS)
def _overload_lowest(lanes):
    return (lambda lanes: _lowest(lanes)) if VECTOR else lowest
