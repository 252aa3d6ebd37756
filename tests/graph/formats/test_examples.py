"""One small graph in every format, put down by hand: read as it should be, and written byte by byte the same."""

import gzip
import json
import struct

import numpy as np
import pytest
import scipy.sparse as sp

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


METIS_HEADERS = {
    "4 3 11": ["5 2 2 4 7", "5 1 2 4 9", "5", "5 1 7 2 9"],
    "4 3 011 2": ["5 6 2 2 4 7", "5 6 1 2 4 9", "5 6", "5 6 1 7 2 9"],
    "4 3 111": ["8 5 2 2 4 7", "8 5 1 2 4 9", "8 5", "8 5 1 7 2 9"],
    "4 3 101": ["8 2 2 4 7", "8 1 2 4 9", "8", "8 1 7 2 9"],
    "4 3 001 0": ["2 2 4 7", "1 2 4 9", "", "1 7 2 9"],
}


@pytest.mark.parametrize("header", METIS_HEADERS)
def test_metis_with_weights_of_vertices(header, tmp_path):
    (tmp_path / "a.graph").write_text("\n".join(["% a comment", header, *METIS_HEADERS[header]]))
    assert troth.read(tmp_path / "a.graph") == example(np.int64)


@pytest.mark.parametrize("header", ["4 3 10", "4 3 010", "4 3 100", "4 3", "4 3 0", "4 3 000"])
def test_metis_without_weights_of_edges(header, tmp_path):
    lines = [header, "5 2 4", "5 1 4", "5", "5 1 2"] if "1" in header else [header, "2 4", "1 4", "", "1 2"]
    lines.insert(2, "% between the lines")
    (tmp_path / "a.graph").write_text("\r\n".join(lines) + "\r\n\r\n\r\n")
    assert troth.read(tmp_path / "a.graph") == example()


GENERAL = (
    "%%matrixmarket MATRIX Coordinate Real General\n% comment\n\n4 4 6\n4 1 7\n1 4 7e0\n2 1 2\n1 2 2.0\n2 4 9\n4 2 9\n"
)


def test_matrix_market_general(tmp_path):
    (tmp_path / "a.mtx").write_text(GENERAL)
    assert troth.read(tmp_path / "a.mtx") == example(np.float64)


@pytest.mark.parametrize(
    ("line", "instead", "sentence"),
    [
        (
            "1 2 2.0",
            "1 2 3",
            r"entries \(0, 1\) and \(1, 0\) are 3.0 and 2.0; call troth.symmetrize \(vertices counted",
        ),
        ("1 2 2.0", "1 3 2", "row 0 holds column 2 but row 2 does not hold column 0; call troth.symmetrize"),
        ("1 2 2.0", "2 1 2", "row 1 holds column 0 twice; call troth.sum_duplicates"),
        ("1 2 2.0", "2 2 2", "row 1 holds column 1, a loop; call troth.drop_loops"),
        ("1 2 2.0", "1 5 2", "line 8: 5 is outside the matrix, which has 1 to 4"),
        ("1 2 2.0", "0 1 2", "line 8: 0 is outside the matrix, which has 1 to 4"),
        ("1 2 2.0", "1 2 2.0 0.0", "line 8: '0.0' is one word too many"),
        ("1 2 2.0\n", "", "has 5 entries but 6 in its header"),
        ("4 4 6", "4 5 6", "the matrix is 4 x 5; a graph needs as many columns as rows"),
        ("4 4 6", "4 4", "line 4: the first line after the comments must be the numbers of rows, columns and entries"),
        ("4 4 6", "4 4 -6", "must be the numbers of rows"),
        ("4 4 6", "10000000000000 10000000000000 6", "10000000000000 vertices are too many for a file of"),
        ("Coordinate", "array", "the layout is 'array'; only coordinate is read"),
        ("Real", "Complex", "the field is 'complex'; weights are real, integer or pattern"),
        ("General", "skew-symmetric", "the symmetry is 'skew-symmetric'; a graph is symmetric"),
        ("General", "hermitian", "the symmetry is 'hermitian'"),
        ("%%matrixmarket", "%MatrixMarket", "line 1: a Matrix Market file begins with %%MatrixMarket"),
    ],
)
def test_what_a_matrix_market_file_may_not_say(line, instead, sentence, tmp_path):
    assert line in GENERAL
    (tmp_path / "a.mtx").write_text(GENERAL.replace(line, instead))
    with pytest.raises(ValueError, match=rf"a\.mtx\b.*{sentence}"):
        troth.read(tmp_path / "a.mtx")


def test_a_loop_on_the_diagonal_is_named_by_its_line(tmp_path):
    (tmp_path / "a.mtx").write_text(MTX.format("real") + "2 1 5\n3 3 1\n4 1 2\n")
    with pytest.raises(ValueError, match=r"a\.mtx: line 4 is an edge from a vertex to itself; call troth.drop_loops"):
        troth.read(tmp_path / "a.mtx")
    matrix = troth.drop_loops(read_contents(tmp_path / "a.mtx").to_scipy())
    assert troth.as_graph(troth.symmetrize(matrix)).n_edges == 2


SNAP = "# Directed graph\n# FromNodeId\tToNodeId\n0\t1\n1\t0\n0\t3\n0\t3\n1\t3\n"


def test_snap_list_with_repeats(tmp_path):
    (tmp_path / "a.txt").write_text(SNAP)
    assert troth.read(tmp_path / "a.txt") == example()
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(SNAP.encode()))
    assert troth.read(tmp_path / "a.txt.gz") == example()


def test_a_line_of_names_is_read_over(tmp_path):
    (tmp_path / "a.csv").write_text('"source","target","weight"\n0,1,1\n0,3,3.5\n1,3,4.5\n')
    assert troth.read(tmp_path / "a.csv") == halves()


def test_ids_with_large_gaps_become_labels(tmp_path):
    ids = np.array([7, 3_000_000_000, 2**62, 2**63 - 1])
    lines = [f"{ids[u]} {ids[v]} {w}\n" for u, v, w in [(3, 0, 7), (0, 1, 2), (1, 3, 9)]]
    (tmp_path / "a.txt").write_text("".join(lines))
    graph = troth.read(tmp_path / "a.txt")
    assert graph.labels.tolist() == [7, 3_000_000_000, 2**63 - 1]
    assert graph.to_scipy().toarray().tolist() == [[0, 2, 7], [2, 0, 9], [7, 9, 0]]


@pytest.mark.parametrize(("largest", "compacted"), [(4 * 40 + 1000, False), (4 * 40 + 1001, True)])
def test_when_gaps_are_large(largest, compacted, tmp_path):
    u = [*range(38), largest]
    (tmp_path / "a.txt").write_text("".join(f"{a} 39\n" for a in u))
    graph = troth.read(tmp_path / "a.txt")
    assert graph.n_vertices == (40 if compacted else largest + 1)
    assert (graph.labels is not None) == compacted


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("0 1\n2 2\n", "line 2 is an edge from a vertex to itself; call troth.drop_loops"),
        ("0 1 2\n1 0 3\n", r"edge \(0, 1\) has weights 2 and 3"),
        ("0 1 2 3\n", "line 1: there are 4 columns; an edge is two vertex ids, or two ids and a weight"),
        ("5\n", "line 1: there are 1 columns"),
        ("# only a comment\n", "holds no edges; it is not an edge list"),
        ("hello world\n", "holds no edges"),
        ("a b\nc d\n", "line 2: 'c' is not a vertex id"),
        (
            "%%MatrixMarket matrix coordinate real general\n1 1 0\n",
            "is a Matrix Market file; read it with format='mtx'",
        ),
        (EDGES + "0 1\n", "has 1 edges but says 3 in its first line"),
        (EDGES.replace("4 v", "3 v") + "0 1\n0 3\n1 3\n", r"edge number 1 is \(0, 3\) but n_vertices is 3"),
        (EDGES.replace("4 v", "9999999999999 v") + "0 1\n0 3\n1 3\n", "9999999999999 vertices are too many for a file"),
        ("5000 900000 1\n900000 5000 2\n", "numbered by the order of their ids in the file"),
    ],
)
def test_what_an_edge_list_may_not_say(content, sentence, tmp_path):
    (tmp_path / "a.txt").write_text(content)
    with pytest.raises(ValueError, match=rf"a\.txt\b.*{sentence}"):
        troth.read(tmp_path / "a.txt")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("4\n", "line 1: the header must be the numbers of vertices and edges"),
        ("4 3 1 1 1\n", "the header must be"),
        ("4 x\n", "the header must be"),
        ("% nothing else\n", "the header must be"),
        ("2 1 2\n2\n1\n", "line 1: fmt is '2'; it must be three digits 0 or 1"),
        ("4 3\n2 4\n1 4\n", "has lines for 2 vertices but 4 in its header"),
        ("4 3\n2 4\n1 4\n\n1\n", "has 5 entries but 3 edges in its header, which makes 6"),
        ("4 3\n2 5\n1 4\n\n1 2\n", "line 2: '5' is not a vertex; neighbours are whole numbers from 1 to 4"),
        ("4 3\n2 0\n1 4\n\n1 2\n", "line 2: '0' is not a vertex"),
        ("4 3\n2 4\n1 4\n\n1 2\n1\n", "line 6: '1' stands after the lines of all 4 vertices"),
        ("4 3 1\n2 2 4\n1 2\n\n1 7 2 9\n", "line 2: the last neighbour has no weight, but the header promises"),
        ("4 3 1\n2 2 4 nan\n1 2\n\n1 7 2 9\n", "line 2: 'nan' is not a finite decimal number"),
        ("2 1 10\n5 2\n\n", "line 3: the line ends too early; 1 numbers stand before the neighbours"),
        ("2 1 10\n\n\n5 6 7 8 9\n", "line 2: the line ends too early"),
        ("2 1 10 3\n1 2\n\n1\n", "line 2: the line ends too early; 3 numbers"),
        ("2 1 10\nx 2\n5 1\n", "line 2: 'x' is not a finite decimal number"),
        ("3 2\n2 2\n1 1\n\n", r"row 0 holds column 1 twice; .* \(vertices counted from 0 here, from 1 in the file\)"),
        ("3 2\n2\n1\n3 3\n", "row 2 holds column 2, a loop"),
        ("3 1\n2 3\n\n\n", "row 0 holds column 1 but row 1 does not"),
    ],
)
def test_what_a_metis_file_may_not_say(content, sentence, tmp_path):
    (tmp_path / "a.graph").write_text(content)
    with pytest.raises(ValueError, match=rf"a\.graph\b.*{sentence}"):
        troth.read(tmp_path / "a.graph")


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
@pytest.mark.parametrize("compressed", [False, True])
def test_archives_of_scipy(form, compressed, tmp_path):
    matrix = example(np.float64).to_scipy().asformat(form)
    sp.save_npz(tmp_path / "a.npz", matrix, compressed=compressed)
    assert troth.read(tmp_path / "a.npz") == example(np.float64)


@pytest.mark.parametrize(
    ("matrix", "sentence"),
    [
        (sp.dia_array(np.eye(3)), "the format of the SciPy matrix is 'dia'; save it as csr, csc or coo"),
        (sp.csr_array(np.ones((2, 3))), "the matrix is 2 x 3; a graph needs as many columns as rows"),
        (sp.csr_array(np.array([[0, 1j], [1j, 0]])), "data.*complex128"),
        (sp.csr_array(np.array([[0, 1], [0, 0]])), "row 0 holds column 1 but row 1 does not hold column 0"),
    ],
)
def test_what_an_archive_of_scipy_may_not_hold(matrix, sentence, tmp_path):
    sp.save_npz(tmp_path / "a.npz", matrix)
    with pytest.raises(ValueError, match=rf"a\.npz\b.*{sentence}"):
        troth.read(tmp_path / "a.npz")


def test_an_archive_of_other_things(tmp_path):
    np.savez(tmp_path / "a.npz", x=np.arange(3), indptr=np.arange(3))
    with pytest.raises(ValueError, match=r"a\.npz lacks the array 'indices'; of a graph it holds indptr"):
        troth.read(tmp_path / "a.npz")


def test_npz_and_directory_hold_plain_arrays(tmp_path):
    troth.write(example(np.int32), tmp_path / "a.npz")
    troth.write(example(np.int32), tmp_path / "a.troth")
    archive = np.load(tmp_path / "a.npz")
    for name, expected in (("indptr", INDPTR), ("indices", INDICES), ("weights", WEIGHTS)):
        assert archive[name].tolist() == expected
        assert np.load(tmp_path / f"a.troth/{name}.npy").tolist() == expected
    meta = json.loads((tmp_path / "a.troth/meta.json").read_text())
    assert meta == {"format": "troth", "version": 1, "vertices": 4, "entries": 6, "weights": "int32", "labels": None}
