"""What Matrix Market files, METIS files and edge lists may and may not say."""

import gzip

import numpy as np
import pytest

import troth
from troth.graph.formats import read_contents

INDPTR, INDICES, WEIGHTS = [0, 2, 4, 4, 6], [1, 3, 0, 3, 0, 1], [2, 7, 2, 9, 7, 9]  # vertex 2 has no edges


def example(dtype=None):
    weights = None if dtype is None else np.array(WEIGHTS, dtype)
    return troth.Graph(np.array(INDPTR), np.array(INDICES, np.int32), weights)


MTX = "%%MatrixMarket matrix coordinate {} symmetric\n4 4 3\n"
EDGES = "# troth edge list: 4 vertices, 3 edges\n"

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
    (tmp_path / "a.csv").write_text('"source","target","weight"\n0,1,2\n0,3,7.0\n1,3,9\n')
    assert troth.read(tmp_path / "a.csv") == example(np.float64)


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
