"""Call a C function by its address from compiled code."""

import ctypes

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload

from troth.kernels.jit import OPTIONS

_I32, _I64 = ir.IntType(32), ir.IntType(64)


def call(address, words):
    """Call the function at `address`, which returns a C int, with the tuple of integers `words`.

    Every argument travels as a sign-extended 64-bit word. That is how the calling conventions of 64-bit little-endian
    systems pass pointers and, as the upper half is then ignored or just so, C ints and handles of 4 bytes.
    """
    signature = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_int64] * len(words))
    return signature(int(address))(*map(int, words))


@intrinsic
def _call(typingctx, address, words):
    def codegen(context, builder, signature, args):
        kinds = signature.args[1].types
        given = [
            context.cast(builder, builder.extract_value(args[1], i), kind, types.int64) for i, kind in enumerate(kinds)
        ]
        kind = ir.FunctionType(_I32, [_I64] * len(given))
        function = builder.inttoptr(args[0], kind.as_pointer())
        return builder.sext(builder.call(function, given), _I64)

    return types.int64(types.int64, words), codegen


@overload(call, jit_options=OPTIONS)
def _overload_call(address, words):
    return lambda address, words: _call(address, words)
