"""One small graph in every format, put down by hand: read as it should be, and written byte by byte the same."""

import struct

import numpy as np
import pytest

import troth
from troth.graph.formats import read_contents

INDPTR, INDICES, WEIGHTS = [0, 2, 4, 4, 6], [1, 3, 0, 3, 0, 1], [2, 7, 2, 9, 7, 9]  # vertex 2 has no edges


def example(dtype=None):
    weights = None if dtype is None else np.array(WEIGHTS, dtype)
    return troth.Graph(np.array(INDPTR), np.array(INDICES, np.int32), weights)


def halves():
    return troth.Graph(np.array(INDPTR), np.array(INDICES, np.int32), np.array(WEIGHTS) / 2)


def pairs(code):
    return b"".join(struct.pack(code, v, w) for v, w in zip(INDICES, WEIGHTS, strict=True))


MTX = "%%MatrixMarket matrix coordinate {} symmetric\n4 4 3\n"
EDGES = "# troth edge list: 4 vertices, 3 edges\n"
EXAMPLES = {
    "a.mtx": (example(), MTX.format("pattern") + "2 1\n4 1\n4 2\n"),
    "int.mtx": (example(np.int64), MTX.format("integer") + "2 1 2\n4 1 7\n4 2 9\n"),
    "real.mtx": (halves(), MTX.format("real") + "2 1 1.0\n4 1 3.5\n4 2 4.5\n"),
    "a.graph": (example(), "4 3\n2 4\n1 4\n\n1 2\n"),
    "int.metis": (example(np.int64), "4 3 001\n2 2 4 7\n1 2 4 9\n\n1 7 2 9\n"),
    "real.graph": (halves(), "4 3 001\n2 1.0 4 3.5\n1 1.0 4 4.5\n\n1 3.5 2 4.5\n"),
    "a.txt": (example(), EDGES + "0 1\n0 3\n1 3\n"),
    "a.tsv": (example(np.int64), EDGES + "0\t1\t2\n0\t3\t7\n1\t3\t9\n"),
    "a.edges": (halves(), EDGES + "0 1 1.0\n0 3 3.5\n1 3 4.5\n"),
    "a.el": (example(), "0 1\n0 3\n1 3\n"),
    "a.wel": (example(np.int64), "0 1 2\n0 3 7\n1 3 9\n"),
    "a.csv": (halves(), "0,1,1.0\n0,3,3.5\n1,3,4.5\n"),
    "a.sg": (example(), struct.pack("<?qq5q6i", False, 6, 4, *INDPTR, *INDICES)),
    "a.wsg": (example(np.int32), struct.pack("<?qq5q", False, 6, 4, *INDPTR) + pairs("<ii")),
    "a.gr": (example(), struct.pack("<4Q4Q6I", 1, 0, 4, 6, *INDPTR[1:], *INDICES)),
    "int.gr": (example(np.int32), struct.pack("<4Q4Q6I6i", 1, 4, 4, 6, *INDPTR[1:], *INDICES, *WEIGHTS)),
    "long.gr": (example(np.int64), struct.pack("<4Q4Q6I6q", 1, 8, 4, 6, *INDPTR[1:], *INDICES, *WEIGHTS)),
    "a.bin": (example(np.float64), struct.pack("<2q5q", 4, 6, *INDPTR) + pairs("<qd")),
}


def written(content):
    return content.encode() if isinstance(content, str) else content


@pytest.mark.parametrize("name", EXAMPLES)
def test_read(name, tmp_path):
    expected, content = EXAMPLES[name]
    (tmp_path / name).write_bytes(written(content))
    graph = troth.read(tmp_path / name)
    assert graph == expected
    assert graph.labels is None
    assert expected.weights is None or graph.weights.dtype == expected.weights.dtype


@pytest.mark.parametrize("name", EXAMPLES)
def test_write(name, tmp_path):
    graph, content = EXAMPLES[name]
    troth.write(graph, tmp_path / name)
    assert (tmp_path / name).read_bytes() == written(content)


@pytest.mark.parametrize("as_float", [False, True])
def test_vite_of_32_bits(as_float, tmp_path):
    content = struct.pack("<2i5i", 4, 6, *INDPTR) + pairs("<if")
    (tmp_path / "a.bin").write_bytes(content)
    assert troth.read(tmp_path / "a.bin") == example(np.float32)
    troth.write(example(np.float32 if as_float else np.int32), tmp_path / "b", format="vite32")
    assert (tmp_path / "b").read_bytes() == content


@pytest.mark.parametrize(("dtype", "code"), [(np.float32, "f"), (np.float64, "d")])
def test_galois_of_floats(dtype, code, tmp_path):
    size = np.dtype(dtype).itemsize
    content = struct.pack(f"<4Q4Q6I6{code}", 1, size, 4, 6, *INDPTR[1:], *INDICES, *WEIGHTS)
    path = tmp_path / "a.gr"
    path.write_bytes(content)
    assert troth.read(path, format="galois-float") == example(dtype)
    with pytest.raises(ValueError, match="may hold integers or floats as weights"):
        troth.read(path)
    bits = np.array(WEIGHTS, dtype).view(f"i{size}")
    np.testing.assert_array_equal(troth.read(path, format="galois-int").weights, bits)
    troth.write(example(dtype), tmp_path / "b", format="galois-float")
    assert (tmp_path / "b").read_bytes() == content


@pytest.mark.parametrize("weighted", [False, True])
def test_galois_version_2(weighted, tmp_path):
    content = struct.pack("<4Q4Q6Q", 2, 4 * weighted, 4, 6, *INDPTR[1:], *INDICES)
    (tmp_path / "a.gr").write_bytes(content + (struct.pack("<6i", *WEIGHTS) if weighted else b""))
    assert troth.read(tmp_path / "a.gr") == example(np.int32 if weighted else None)


def test_galois_pads_an_odd_number_of_neighbours(tmp_path):
    """Only directed graphs have one, so it takes their matrix to see it."""
    (tmp_path / "a.gr").write_bytes(struct.pack("<4Q2Q2Ii", 1, 4, 2, 1, 1, 1, 1, 0, 7))
    assert read_contents(tmp_path / "a.gr").to_scipy().toarray().tolist() == [[0, 7], [0, 0]]


def test_gap_directed_with_in_neighbours(tmp_path):
    """A graph marked directed that is symmetric all the same; what comes second is not looked at."""
    out = struct.pack("<5q6i", *INDPTR, *INDICES)
    (tmp_path / "a.sg").write_bytes(struct.pack("<?qq", True, 6, 4) + out + bytes(len(out)))
    assert troth.read(tmp_path / "a.sg") == example()


def test_gap_directed_is_not_a_graph(tmp_path):
    out = struct.pack("<3q1i", 0, 1, 1, 1)
    (tmp_path / "a.sg").write_bytes(struct.pack("<?qq", True, 1, 2) + 2 * out)
    with pytest.raises(
        ValueError, match=r"row 0 holds column 1 but row 1 does not hold column 0; call troth.symmetrize"
    ):
        troth.read(tmp_path / "a.sg")
    assert read_contents(tmp_path / "a.sg").to_scipy().toarray().tolist() == [[0, 1], [0, 0]]


def test_wsg_without_edges_has_weights(tmp_path):
    (tmp_path / "a.wsg").write_bytes(struct.pack("<?qq2q", False, 0, 1, 0, 0))
    assert troth.read(tmp_path / "a.wsg").weights.dtype == np.int32
