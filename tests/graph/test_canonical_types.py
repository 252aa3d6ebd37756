"""canonical_csr and the arrays it is given: types, layouts, copies."""

import re

import numpy as np
import pytest

from troth.graph.canonical import canonical_csr


def path(dtype=np.float64):
    """indptr, indices, weights of the path 0 - 1 - 2."""
    return np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1]), np.array([2, 2, 5, 5], dtype)


@pytest.mark.parametrize(
    ("indptr", "indices", "weights", "sentence"),
    [
        ([], [], None, "indptr is empty; it must hold one number more than there are vertices, [0] for none"),
        ([1, 2], [0, 0], None, "indptr starts with 1; it must start with 0"),
        ([0, 2, 1, 2], [1, 0], None, "indptr falls from 2 to 1 at row 1; it must never fall"),
        ([0, 1, 3], [1, 0], None, "indptr ends with 3 but there are 2 indices; the two must be equal"),
        ([0, 1, 2], [1.0, 0.0], None, "indices must be integers, not float64"),
        ([0.0, 1.0, 2.0], [1, 0], None, "indptr must be integers, not float64"),
        ([0, 1, 2], [True, False], None, "indices must be integers, not bool"),
        ([0, 1, 2], [[1, 0]], None, "indices must be one-dimensional, not 2-dimensional"),
        (3, [1, 0], None, "indptr must be one-dimensional, not 0-dimensional"),
        (
            [0, 1, 2],
            np.array([2**63 + 1, 0], np.uint64),
            None,
            "indices[0] is 9223372036854775809, too large for int64",
        ),
        ([0, 1, 2], [1, 0], [1.0], "there are 1 weights for 2 entries; give one for each"),
        ([0, 1, 2], [1, 0], [[1.0, 1.0]], "weights must be one-dimensional, not 2-dimensional"),
        ([0, 1, 2], [1, 0], [1j, 1j], "weights must be integers or real floats, not complex128"),
        ([0, 1, 2], [1, 0], ["1", "1"], "weights must be integers or real floats, not <U1"),
        ([0, 1, 2], [1, 0], np.array([1, None]), "weights must be integers or real floats, not object"),
        (
            [0, 1, 2],
            [1, 0],
            np.full(2, 2**64 - 1, np.uint64),
            "weights[0] is 18446744073709551615, too large for int64",
        ),
    ],
)
def test_bad_arrays_are_named(indptr, indices, weights, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        canonical_csr(indptr, indices, weights)


def test_long_doubles_beyond_float64_are_infinite():
    if np.finfo(np.longdouble).max == np.finfo(np.float64).max:
        pytest.skip("long double is float64 here")
    with pytest.raises(ValueError, match=re.escape("weight of edge (0, 1) is infinite")):
        canonical_csr([0, 1, 2], [1, 0], np.full(2, np.finfo(np.longdouble).max))


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_the_smallest_integer_is_not_zero(dtype):
    # Its bits are those of minus zero, which floats may hold opposite a zero.
    smallest = np.iinfo(dtype).min
    with pytest.raises(ValueError, match=re.escape(f"entries (0, 1) and (1, 0) are 0 and {smallest}")):
        canonical_csr([0, 1, 2], [1, 0], np.array([0, smallest], dtype))


@pytest.mark.parametrize("index_type", [np.int32, np.int64])
@pytest.mark.parametrize("weight_type", [np.float32, np.float64, np.int32, np.int64])
def test_canonical_arrays_are_not_copied(index_type, weight_type):
    indptr, indices, weights = path(weight_type)
    indices = indices.astype(index_type)
    result = canonical_csr(indptr, indices, weights)
    assert np.shares_memory(result[0], indptr)
    assert np.shares_memory(result[1], indices) == (index_type == np.int32)
    assert result[1].dtype == np.int32
    assert np.shares_memory(result[2], weights)
    assert indptr.flags.writeable
    assert weights.flags.writeable


def test_read_only_and_memory_mapped_arrays_are_not_copied(tmp_path):
    indptr, indices, weights = path()
    np.save(tmp_path / "weights.npy", weights)
    mapped = np.load(tmp_path / "weights.npy", mmap_mode="r")
    indices = indices.astype(np.int32)
    indices.flags.writeable = False
    _, columns, values = canonical_csr(indptr, indices, mapped)
    assert np.shares_memory(columns, indices)
    assert np.shares_memory(values, mapped)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (np.bool_, np.int32), (np.int8, np.int32), (np.uint8, np.int32), (np.int16, np.int32), (np.uint16, np.int32),
        (np.int32, np.int32), (np.uint32, np.int64), (np.int64, np.int64), (np.uint64, np.int64),
        (np.float16, np.float32), (np.float32, np.float32), (np.float64, np.float64), (np.longdouble, np.float64),
        (">f8", np.float64), (">i4", np.int32),
    ],
)  # fmt: skip
def test_weight_types(given, kept):
    indptr, indices, weights = path()
    values = canonical_csr(indptr, indices, weights.astype(given))[2]
    assert values.dtype == kept
    assert values.dtype.isnative
    np.testing.assert_array_equal(values, weights.astype(given).astype(kept))


@pytest.mark.parametrize("given", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i4", ">i8", ">u2"])
def test_index_types(given):
    indptr, indices, weights = path()
    result = canonical_csr(indptr.astype(given), indices.astype(given), weights)
    assert [array.dtype for array in result] == [np.int64, np.int32, np.float64]
    np.testing.assert_array_equal(result[0], indptr)
    np.testing.assert_array_equal(result[1], indices)


def test_strided_arrays_and_subclasses():
    class Tagged(np.ndarray):
        pass

    indptr, indices, weights = path()
    apart = np.repeat(weights, 3)[::3]
    result = canonical_csr(indptr.view(Tagged), indices[::-1].copy()[::-1], apart)
    np.testing.assert_array_equal(result[2], weights)
    assert result[2].flags.c_contiguous
