"""Which columns of a Parquet table are the graph."""

import numpy as np
import pytest

import troth

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

ENDS = {"a": [0, 1], "b": [1, 2]}


def write(path, columns, **options):
    pq.write_table(pa.table(columns), path, **options)
    return path


@pytest.mark.parametrize(
    "columns",
    [
        {"u": [0, 1], "v": [1, 2]},
        {"x": [9, 9], "target": [1, 2], "source": [0, 1]},
        {"name": ["p", "q"], "dst": [0, 1], "src": [1, 2]},
        {"score": [0.5, 0.25], "from": [0, 1], "to": [1, 2], "third": [5, 5]},
        {"u": pa.array([0, 1], pa.uint8()), "v": pa.array([1, 2], pa.uint64())},
    ],
)
def test_columns_of_ends(columns, tmp_path):
    graph = troth.read(write(tmp_path / "a.parquet", columns))
    assert graph.to_scipy().toarray().tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    assert graph.weights is None


@pytest.mark.parametrize("name", ["weight", "w"])
@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_weights(name, dtype, tmp_path):
    graph = troth.read(write(tmp_path / "a.parquet", ENDS | {name: np.array([3, 4], dtype)}, row_group_size=1))
    assert graph.to_scipy().toarray().tolist() == [[0, 3, 0], [3, 0, 4], [0, 4, 0]]
    assert graph.weights.dtype == dtype


def test_ids_with_large_gaps_become_labels(tmp_path):
    path = write(tmp_path / "a.parquet", {"u": [10**12, 5], "v": [7, 10**12]})
    assert troth.read(path).labels.tolist() == [5, 7, 10**12]


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"x": [1.5]}, "has the columns x; two of integers must be the ends"),
        ({"u": ["p"], "v": ["q"]}, "has the columns u, v; two of integers"),
        ({"u": [0, None], "v": [1, 2]}, "the column 'u' has 1 nulls"),
        ({"u": [0, -1], "v": [1, 2]}, "row 1: -1 in 'u' is not a vertex id"),
        ({"u": pa.array([0, 2**63], pa.uint64()), "v": [1, 2]}, "row 1: 9223372036854775808 in 'u' is not a vertex id"),
        ({"u": [0, 2], "v": [1, 2]}, "row 1 is an edge from a vertex to itself; call troth.drop_loops"),
        ({"u": [0, 1], "v": [1, 0], "w": [1, 2]}, r"edge \(0, 1\) has weights 1 and 2"),
        (
            {"u": [0, 1], "v": [1, 2], "w": ["1", "2"]},
            "the column 'w' is of type string",
        ),
        ({"u": [0, 1], "v": [1, 2], "w": [1.0, np.nan]}, r"weight of edge \(1, 2\) is NaN"),
    ],
)
def test_what_a_table_may_not_hold(columns, sentence, tmp_path):
    path = write(tmp_path / "a.parquet", columns)
    with pytest.raises(ValueError, match=rf"a\.parquet\b.*{sentence}"):
        troth.read(path)


def test_without_pyarrow(tmp_path, monkeypatch):
    path = write(tmp_path / "a.parquet", ENDS)
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"needs pyarrow: pip install 'troth\[parquet\]'"):
        troth.read(path)
