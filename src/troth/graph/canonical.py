"""Check everything a Graph promises, once, in one read of the arrays; no copy when they are canonical already.

One kernel streams over all entries and looks for columns out of range, loops, repeated and unsorted columns, and for
weights that are not finite. In the same read it takes a fingerprint of symmetry: the sum, modulo 2**128, of a hash of
(u, v, w) over the entries above the diagonal, less the sum of the hash of (v, u, w) over those below. A symmetric
matrix gives zero; others do not, but for odds of 2**-128 (docs/decisions/0002-symmetry-by-fingerprint.md). Only an
unsymmetric matrix is then searched for the first entry without an equal partner.

Faults are reported in a fixed order: the arrays themselves, then the smallest (row, column) that is wrong in its row,
then the smallest (row, column) that breaks symmetry. Chunks are taken in ascending order, and whoever meets a fault in
one leaves no later chunk to take; all earlier ones are taken by then and read to their end, or to a fault of their own.
So the smallest fault is always found, on any number of threads.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from troth.graph.csr import INT32_VERTICES
from troth.graph.order import mix, weight_keys
from troth.graph.rows import sort_rows
from troth.kernels import atomics, team
from troth.kernels.jit import compiled
from troth.progress import Reporter, stage

FINE, OUT_OF_RANGE, LOOP, TWICE, UNSORTED, NOT_FINITE, ONE_WAY, UNEQUAL = range(8)

_CHUNK = 1 << 17  # entries and vertices: half a millisecond of checking
_KIND, _ENTRY, _SUM_1, _SUM_2, _WORDS = 0, 1, 2, 3, 8  # a row of findings is a cache line for each thread
_SHIFT, _FACTOR = np.uint64(32), np.uint64(0xD6E8FEB86659FD93)


def canonical_csr(
    indptr: ArrayLike,
    indices: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    threads: int | None = None,
    progress: Reporter | None = None,
) -> tuple[NDArray[np.int64], NDArray[Any], NDArray[Any] | None]:
    """The arrays of a Graph, checked; the caller's own arrays where they are canonical already.

    Args:
        indptr, indices, weights: a full symmetric CSR matrix; weights None for a pattern. Small integer and boolean
            weights become int32, unsigned ones int64, half precision float32, long double float64.
    Returns: indptr (int64), indices (int32 up to 2**31 - 1 vertices, else int64), weights or None.
    Raises: ValueError naming the first bad place and the call that mends it.
    """
    size = team.check_threads(threads)
    columns = integers("indices", indices)
    rows = offsets(indptr, columns.size)
    values = None if weights is None else real_weights("weights", weights, columns.size)
    columns, values, fingerprint = canonical_rows(rows, columns, values, 0, rows.size - 1, size, progress)
    if fingerprint != (0, 0):
        kind, entry, _ = _scan(find_unpaired, rows, columns, values, size, progress)
        if kind != FINE:
            raise ValueError(fault_sentence(kind, entry, rows, columns, values))
    return rows, columns, values


def canonical_rows(
    rows: NDArray[np.int64],
    columns: NDArray[Any],
    values: NDArray[Any] | None,
    first: int,
    n: int,
    threads: int,
    progress: Reporter | None,
) -> tuple[NDArray[Any], NDArray[Any] | None, tuple[int, int]]:
    """Rows first, first + 1, ... of the matrix of a graph of n vertices, checked but for symmetry; sorted if need be.

    Returns: indices and weights, and this part of the fingerprint: those of all rows add up, modulo 2**64 each.
    """
    kind, entry, fingerprint = _scan(check_rows, rows, columns, values, threads, progress, first, n)
    if kind == UNSORTED:
        columns, values = columns.copy(), None if values is None else values.copy()
        sort_rows(rows, columns, values, threads, progress)
        kind, entry, fingerprint = _scan(check_rows, rows, columns, values, threads, progress, first, n)
    if kind != FINE:
        raise ValueError(fault_sentence(kind, entry, rows, columns, values, first, n))
    return columns.astype(np.int32 if n <= INT32_VERTICES else np.int64, copy=False), values, fingerprint


def integers(name: str, given: ArrayLike) -> NDArray[Any]:
    """A flat, contiguous, native int32 or int64 array of the same values: the given one if it is such."""
    array = _flat(name, given)
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integers, not {array.dtype}")
    return _native(name, array, _integer_type(array.dtype) if array.size else np.dtype(np.int32))


def real_weights(name: str, given: ArrayLike, size: int) -> NDArray[Any]:
    """The weights in one of the types a Graph holds: the given array if it is contiguous and of such a type."""
    array = _flat(name, given)
    if array.size != size:
        raise ValueError(f"there are {array.size} {name} for {size} entries; give one for each")
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} must be integers or real floats, not {array.dtype}")
    if array.dtype.kind != "f":
        return _native(name, array, _integer_type(array.dtype))
    return _native(name, array, np.dtype(np.float32 if array.dtype.itemsize <= 4 else np.float64))


def check_ids(name: str, ids: NDArray[Any], n: int) -> None:
    """ValueError naming the first of the ids that is none of n vertices."""
    outside = (ids < 0) | (ids >= n)
    if outside.any():
        at = int(np.argmax(outside))
        raise ValueError(f"{name}[{at}] is {ids[at]}, but the {n} vertices are numbered from 0; mend the {name}")


def _flat(name: str, given: ArrayLike) -> NDArray[Any]:
    array = np.asarray(given)
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, not {array.ndim}-dimensional")
    return array


def _integer_type(given: np.dtype[Any]) -> np.dtype[Any]:
    """int32 where it holds every value of the given integer or boolean type, else int64."""
    return np.dtype(np.int32 if np.can_cast(given, np.int32) else np.int64)


def _native(name: str, array: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    if array.dtype.kind == "u" and array.dtype.itemsize == 8 and array.size:
        at = int(np.argmax(array))
        if array[at] > np.iinfo(np.int64).max:
            raise ValueError(f"{name}[{at}] is {array[at]}, too large for int64; give values below 2**63")
    with np.errstate(over="ignore"):  # a long double beyond float64 becomes infinite, and is reported as that
        return np.require(array, dtype, ["C", "A"])


def offsets(given: ArrayLike, entries: int) -> NDArray[np.int64]:
    """The given array as an indptr of so many entries: from 0, never falling, to their number."""
    indptr = integers("indptr", given).astype(np.int64, copy=False)
    if indptr.size == 0:
        raise ValueError("indptr is empty; it must hold one number more than there are vertices, [0] for none")
    if indptr[0] != 0:
        raise ValueError(f"indptr starts with {indptr[0]}; it must start with 0")
    falls = indptr[1:] < indptr[:-1]
    if falls.any():
        row = int(np.argmax(falls))
        raise ValueError(f"indptr falls from {indptr[row]} to {indptr[row + 1]} at row {row}; it must never fall")
    if indptr[-1] != entries:
        raise ValueError(f"indptr ends with {indptr[-1]} but there are {entries} indices; the two must be equal")
    return indptr


def _scan(
    kernel: Any,
    indptr: NDArray[np.int64],
    indices: NDArray[Any],
    weights: NDArray[Any] | None,
    threads: int,
    progress: Reporter | None,
    first: int = 0,
    n: int | None = None,
) -> tuple[int, int, tuple[int, int]]:
    """Run check_rows or find_unpaired: the kind and entry of the first fault, and the fingerprint."""
    keys, bits = _readable(weights, first, indptr.size - 1 if n is None else n)
    # All read-only: an array one may write to and one that one may not are two types, each compiled for.
    arrays = [array.view() for array in (indptr, indices, keys)]
    for array in arrays:
        array.flags.writeable = False
    findings = np.zeros((threads, _WORDS), np.uint64)
    chunks = team.chunks_of(indices.size + indptr.size - 1, _CHUNK)
    report = stage(progress, "check the graph", chunks)
    team.run(kernel, *arrays, bits, chunks, findings, threads=threads, progress=report)
    faults = [(int(row[_ENTRY]), int(row[_KIND])) for row in findings if row[_KIND] != FINE]
    entry, kind = min(faults, default=(0, FINE))
    sums = findings.sum(axis=0)
    return kind, entry, (int(sums[_SUM_1]), int(sums[_SUM_2]))


def _readable(weights: NDArray[Any] | None, first: int, n: int) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The weights as integers, none for a pattern, and the words that tell what all means (see check_rows)."""
    keys = np.empty(0, np.int32) if weights is None else weight_keys(weights, weights.size)
    bits = np.array([0, 1, 0, first, n], np.int64)
    if weights is not None and weights.dtype.kind == "f":
        infinity, minus_zero = np.array([np.inf, -0.0], weights.dtype).view(keys.dtype)
        bits[:3] = np.iinfo(keys.dtype).max, infinity, minus_zero
    return keys, bits


@compiled
def check_rows(
    control, thread, indptr, indices, keys,  # IN
    bits, chunks,  # IN: bits = mask of the magnitude, infinity, minus zero; which vertex row 0 is, vertices of all
    findings,  # OUT: kind and entry of the first fault of this thread, and its part of the fingerprint
):  # fmt: skip
    weighted = keys.shape[0] > 0
    magnitude, infinity, minus_zero, first, n = bits[0], bits[1], bits[2], bits[3], bits[4]
    sum_1, sum_2 = np.uint64(0), np.uint64(0)
    chunk = team.take(control, chunks)
    while chunk >= 0:
        for row in range(team.first_vertex(indptr, chunk * _CHUNK), team.first_vertex(indptr, (chunk + 1) * _CHUNK)):
            u, previous = first + row, -1
            for e in range(indptr[row], indptr[row + 1]):
                v, key = indices[e], keys[e] if weighted else 0
                # A column below 0 is never above the one before, so four comparisons find all five faults.
                if v <= previous or v >= n or v == u or (key & magnitude) >= infinity:
                    return fault_found(control, chunks, findings[thread], fault_of(u, v, previous, n), e)
                previous = v
                above, value = u < v, np.uint64(0 if key == minus_zero else key)
                pair = mix((np.uint64(u if above else v) << _SHIFT) + np.uint64(v if above else u))
                hash_1, hash_2 = mix(pair ^ value), mix(pair * _FACTOR + value)
                sum_1 = sum_1 + hash_1 if above else sum_1 - hash_1
                sum_2 = sum_2 + hash_2 if above else sum_2 - hash_2
        chunk = team.take(control, chunks)
    findings[thread, _SUM_1], findings[thread, _SUM_2] = sum_1, sum_2
    return FINE


@compiled
def find_unpaired(
    control, thread, indptr, indices, keys, bits, chunks,  # IN, as in check_rows; rows sorted
    findings,  # OUT: kind and entry of the first entry this thread meets whose reverse is absent or unequal
):  # fmt: skip
    weighted, minus_zero = keys.shape[0] > 0, bits[2]
    chunk = team.take(control, chunks)
    while chunk >= 0:
        for u in range(team.first_vertex(indptr, chunk * _CHUNK), team.first_vertex(indptr, (chunk + 1) * _CHUNK)):
            for e in range(indptr[u], indptr[u + 1]):
                back = find_entry(indptr, indices, indices[e], u)
                if back < 0:
                    return fault_found(control, chunks, findings[thread], ONE_WAY, e)
                if weighted:
                    here, there = keys[e], keys[back]
                    if here != there and (here != 0 or there != minus_zero) and (here != minus_zero or there != 0):
                        return fault_found(control, chunks, findings[thread], UNEQUAL, e)
        chunk = team.take(control, chunks)
    return FINE


@compiled
def fault_found(control, chunks, finding, kind, entry):
    """Note a fault and let no thread begin a later chunk. Returns the kind."""
    finding[_KIND], finding[_ENTRY] = kind, entry
    atomics.store(control, team.CURSOR, chunks)
    return kind


@compiled
def fault_of(u, v, previous, n):
    """What is wrong with column v of row u, after the column `previous`."""
    if v < 0 or v >= n:
        return OUT_OF_RANGE
    if v == u:
        return LOOP
    if v == previous:
        return TWICE
    return UNSORTED if v < previous else NOT_FINITE


@compiled
def find_entry(indptr, indices, u, v):
    """The entry of the sorted row u that holds column v, or -1."""
    low, end = indptr[u], indptr[u + 1]
    high = end
    while low < high:
        middle = (low + high) >> 1
        if indices[middle] < v:
            low = middle + 1
        else:
            high = middle
    return low if low < end and indices[low] == v else -1


def fault_sentence(
    kind: int,
    entry: int,
    indptr: NDArray[Any],
    indices: NDArray[Any],
    weights: NDArray[Any] | None,
    first: int = 0,
    n: int | None = None,
) -> str:
    """What is wrong at this entry, where, and the cure. Row 0 is vertex `first` of n."""
    u, v = first + int(np.searchsorted(indptr, entry, side="right")) - 1, int(indices[entry])
    if kind == OUT_OF_RANGE:
        n = indptr.size - 1 if n is None else n
        return f"row {u} holds column {v}, but the {n} vertices are numbered from 0; mend the indices"
    if kind == LOOP:
        return f"row {u} holds column {u}, a loop; call troth.drop_loops"
    if kind == TWICE:
        return f"row {u} holds column {v} twice; call troth.sum_duplicates"
    if kind == ONE_WAY:
        return f"row {u} holds column {v} but row {v} does not hold column {u}; call troth.symmetrize"
    assert weights is not None
    if kind == NOT_FINITE:
        name = "NaN" if np.isnan(weights[entry]) else "infinite"
        return f"weight of edge ({u}, {v}) is {name}; give it a finite weight or remove the edge"
    there = indptr[v] + np.searchsorted(indices[indptr[v] : indptr[v + 1]], u)
    return f"entries ({u}, {v}) and ({v}, {u}) are {weights[entry]} and {weights[there]}; call troth.symmetrize"
