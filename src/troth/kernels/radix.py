"""A stable radix sort of 64-bit keys with ids, for sorting all edges of a graph at once; can be interrupted."""

import numpy as np

from troth.kernels import team
from troth.kernels.jit import compiled

_DIGIT = 11
_BUCKETS = 1 << _DIGIT
_BREATH = 1 << 18  # keys between looks at the stop flag


@compiled
def radix_sort(control, thread, keys, ids, spare_keys, spare_ids, counts, flips):
    """Sort keys (uint64) and the ids with them, ascending and stable.

    keys, ids: IN and OUT; spare_keys, spare_ids: work of the same size; counts: work, 2048 words.
    flips[0]: OUT, 1 when the result lies in the spare arrays, 0 when in the arguments' own.
    """
    size = keys.shape[0]
    flips[0] = 0
    for shift in range(0, 64, _DIGIT):
        counts[:] = 0
        digits = np.uint64(shift)
        mask = np.uint64(_BUCKETS - 1)
        for first in range(0, size, _BREATH):
            if team.stopped(control):
                return
            for i in range(first, min(first + _BREATH, size)):
                counts[np.int64((keys[i] >> digits) & mask)] += 1
        if size == 0 or counts[np.int64((keys[0] >> digits) & mask)] == size:
            continue  # all keys agree in this digit
        total = np.int64(0)
        for bucket in range(_BUCKETS):
            count = counts[bucket]
            counts[bucket] = total
            total += count
        for first in range(0, size, _BREATH):
            if team.stopped(control):
                return
            for i in range(first, min(first + _BREATH, size)):
                place = np.int64((keys[i] >> digits) & mask)
                spare_keys[counts[place]] = keys[i]
                spare_ids[counts[place]] = ids[i]
                counts[place] += 1
        keys, spare_keys = spare_keys, keys
        ids, spare_ids = spare_ids, ids
        flips[0] = 1 - flips[0]
