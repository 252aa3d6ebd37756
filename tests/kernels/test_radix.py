"""The radix sort against NumPy's stable sort."""

import numpy as np
import pytest

from troth.kernels import team
from troth.kernels.radix import radix_sort

SEED = 20261119


def sort_with(kernel, keys):
    ids = np.arange(keys.size, dtype=np.int64)
    spare_keys, spare_ids, flips = np.empty_like(keys), np.empty_like(ids), np.zeros(1, np.int64)
    own_keys = keys.copy()
    team.run(kernel, own_keys, ids, spare_keys, spare_ids, np.empty(2048, np.int64), flips)
    return (spare_keys, spare_ids) if flips[0] else (own_keys, ids)


@pytest.mark.parametrize("kernel", [radix_sort, radix_sort.py_func], ids=["compiled", "plain"])
@pytest.mark.parametrize("high", [1, 2, 5000, 2**40, 2**64 - 1])
@pytest.mark.parametrize("size", [0, 1, 2, 700])
def test_sorts_stably(kernel, high, size):
    keys = np.random.default_rng(SEED).integers(0, high, size, dtype=np.uint64)
    got_keys, got_ids = sort_with(kernel, keys)
    assert np.array_equal(got_ids, np.argsort(keys, kind="stable"))
    assert np.array_equal(got_keys, np.sort(keys))
