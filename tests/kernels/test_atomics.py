"""Atomics: their meaning one by one, compiled and plain, and no lost update between threads."""

import numpy as np
import pytest
from numba import njit

from troth.kernels import atomics, team

DTYPES = [np.int32, np.int64]
STEPS = 200_000


def each_form(function):
    return [pytest.param(njit(function), id="compiled"), pytest.param(function, id="plain")]


def use_load(array, i):
    return atomics.load(array, i)


def use_store(array, i, value):
    atomics.store(array, i, value)


def use_cas(array, i, old, new):
    return atomics.cas(array, i, old, new)


def use_add(array, i, amount):
    return atomics.add(array, i, amount)


def use_prefetch(array, i):
    atomics.prefetch(array, i)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("load", each_form(use_load))
def test_load_returns_the_element(load, dtype):
    assert load(np.array([3, -7, 11], dtype), 1) == -7


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("store", each_form(use_store))
def test_store_sets_one_element(store, dtype):
    array = np.array([3, -7, 11], dtype)
    store(array, 2, 5)
    assert array.tolist() == [3, -7, 5]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("cas", each_form(use_cas))
@pytest.mark.parametrize(("old", "seen", "after"), [(-7, -7, 4), (8, -7, -7)], ids=["equal", "other"])
def test_cas_stores_only_over_the_expected_value(cas, dtype, old, seen, after):
    array = np.array([3, -7, 11], dtype)
    assert cas(array, 1, old, 4) == seen
    assert array.tolist() == [3, after, 11]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("add", each_form(use_add))
def test_add_returns_the_value_before(add, dtype):
    array = np.array([3, -7, 11], dtype)
    assert add(array, 1, 10) == -7
    assert array.tolist() == [3, 3, 11]


@pytest.mark.parametrize("prefetch", each_form(use_prefetch))
@pytest.mark.parametrize("i", [0, 2, 10**6, -(10**6)])
def test_prefetch_changes_nothing_also_out_of_bounds(prefetch, i):
    array = np.array([3, -7, 11])
    prefetch(array, i)
    assert array.tolist() == [3, -7, 11]


@njit(nogil=True)
def count_by_add(control, thread, cells):
    for step in range(STEPS):
        atomics.add(cells, step % 2, 1)


@njit(nogil=True)
def count_by_cas(control, thread, cells):
    for step in range(STEPS):
        seen = atomics.load(cells, step % 2)
        while True:
            now = atomics.cas(cells, step % 2, seen, seen + 1)
            if now == seen:
                break
            seen = now


@pytest.mark.parametrize("kernel", [count_by_add, count_by_cas])
def test_no_update_is_lost_between_threads(kernel):
    cells = np.zeros(2, np.int64)
    team.run(kernel, cells, threads=4)
    assert cells.tolist() == [2 * STEPS, 2 * STEPS]
