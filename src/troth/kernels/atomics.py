"""Atomic operations on elements of integer arrays, for threads that share NumPy memory.

The Python body of each function is its sequential meaning, so a kernel still runs as kernel.py_func; an overload
replaces the body by one LLVM instruction in compiled code. Every operation is sequentially consistent: on x86 a load
costs the same as a plain one, and the Dekker-style arguments in the matching kernels ("one of the two sees the other")
need it.
"""

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from troth.kernels.jit import OPTIONS

_ORDER = "seq_cst"


def load(array, i):
    """The value of array[i], read anew each time: the compiler may not keep an old one in a register."""
    return array[i]


def store(array, i, value):
    """Set array[i] so that every thread sees it before anything this thread stores later."""
    array[i] = value


def cas(array, i, old, new):
    """If array[i] == old, store new. Returns the value seen: equal to old exactly when the store happened."""
    seen = array[i]
    if seen == old:
        array[i] = new
    return seen


def add(array, i, amount):
    """Add amount to array[i]. Returns the value before."""
    seen = array[i]
    array[i] = seen + amount
    return seen


def prefetch(array, i):
    """Ask for the cache line of array[i]. Changes nothing but time; i may lie out of bounds."""


def _pointer(context, builder, array_type, array_value, index):
    array = context.make_array(array_type)(context, builder, array_value)
    return cgutils.get_item_pointer(context, builder, array_type, array, [index], wraparound=False)


def _bytes(context, dtype):
    return context.get_abi_sizeof(context.get_value_type(dtype))


@intrinsic
def _load(typingctx, array, i):
    def codegen(context, builder, signature, args):
        pointer = _pointer(context, builder, signature.args[0], args[0], args[1])
        return builder.load_atomic(pointer, _ORDER, _bytes(context, array.dtype))

    return array.dtype(array, types.intp), codegen


@intrinsic
def _store(typingctx, array, i, value):
    def codegen(context, builder, signature, args):
        pointer = _pointer(context, builder, signature.args[0], args[0], args[1])
        builder.store_atomic(args[2], pointer, _ORDER, _bytes(context, array.dtype))
        return context.get_dummy_value()

    return types.void(array, types.intp, array.dtype), codegen


@intrinsic
def _cas(typingctx, array, i, old, new):
    def codegen(context, builder, signature, args):
        pointer = _pointer(context, builder, signature.args[0], args[0], args[1])
        return builder.extract_value(builder.cmpxchg(pointer, args[2], args[3], _ORDER, _ORDER), 0)

    return array.dtype(array, types.intp, array.dtype, array.dtype), codegen


@intrinsic
def _add(typingctx, array, i, amount):
    def codegen(context, builder, signature, args):
        pointer = _pointer(context, builder, signature.args[0], args[0], args[1])
        return builder.atomic_rmw("add", pointer, args[2], _ORDER)

    return array.dtype(array, types.intp, array.dtype), codegen


@intrinsic
def _prefetch(typingctx, array, i):
    def codegen(context, builder, signature, args):
        pointer = builder.bitcast(_pointer(context, builder, signature.args[0], args[0], args[1]), cgutils.voidptr_t)
        int32 = ir.IntType(32)
        declared = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, int32, int32, int32]),
            "llvm.prefetch.p0",
        )
        # Operands after the address: for reading, keep in all cache levels, data not code.
        builder.call(declared, [pointer, int32(0), int32(3), int32(1)])
        return context.get_dummy_value()

    return types.void(array, types.intp), codegen


def _is_integer_array(array):
    return isinstance(array, types.Array) and isinstance(array.dtype, types.Integer)


@overload(load, jit_options=OPTIONS)
def _overload_load(array, i):
    if _is_integer_array(array):
        return lambda array, i: _load(array, i)
    return None


@overload(store, jit_options=OPTIONS)
def _overload_store(array, i, value):
    if _is_integer_array(array):
        return lambda array, i, value: _store(array, i, value)
    return None


@overload(cas, jit_options=OPTIONS)
def _overload_cas(array, i, old, new):
    if _is_integer_array(array):
        return lambda array, i, old, new: _cas(array, i, old, new)
    return None


@overload(add, jit_options=OPTIONS)
def _overload_add(array, i, amount):
    if _is_integer_array(array):
        return lambda array, i, amount: _add(array, i, amount)
    return None


@overload(prefetch, jit_options=OPTIONS)
def _overload_prefetch(array, i):
    if isinstance(array, types.Array):
        return lambda array, i: _prefetch(array, i)
    return None
