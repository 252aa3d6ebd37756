"""C functions called by address from compiled code, and MPI so."""

import ctypes

import numpy as np
import pytest

from troth.kernels.calls import call
from troth.kernels.jit import compiled

LIBC = ctypes.CDLL(None)


@compiled
def call_one(address, word):
    return call(address, (word,))


@compiled
def call_three(address, one, two, three):
    return call(address, (one, two, three))


def address(function):
    return ctypes.cast(function, ctypes.c_void_p).value


@pytest.mark.parametrize("plain", [False, True], ids=["compiled", "python"])
class TestCalls:
    def test_an_int_comes_back_with_its_sign(self, plain):
        function = call_one.py_func if plain else call_one
        assert function(address(LIBC.abs), -7) == 7
        assert function(address(LIBC.toupper), ord("a")) == ord("A")

        negated = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda number: -number)
        assert function(address(negated), 5) == -5

    def test_pointers_and_numbers_arrive(self, plain):
        function = call_three.py_func if plain else call_three
        one, two = np.arange(40, dtype=np.int64), np.arange(40, dtype=np.int64)
        assert function(address(LIBC.memcmp), one.ctypes.data, two.ctypes.data, one.nbytes) == 0
        two[33] += 1
        assert function(address(LIBC.memcmp), one.ctypes.data, two.ctypes.data, one.nbytes) < 0

    def test_many_words_arrive_in_order(self, plain):
        seen = []
        kind = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_int64] * 8)
        listener = kind(lambda *words: seen.append(words) or 0)

        def call_eight(target):
            return call(target, (1, -2, 3, -(1 << 60), 5, 6, 1 << 62, -8))

        function = call_eight if plain else compiled(call_eight)
        assert function(address(listener)) == 0
        assert seen == [(1, -2, 3, -(1 << 60), 5, 6, 1 << 62, -8)]


def test_kernels_send_and_receive(mpiexec):
    assert mpiexec(2, "calling").out == "[True, True]\n"
