"""DistGraph on 1 to 4 ranks under mpiexec: equal to the serial graph, and one error for all."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import troth

SEED = 20261119
CASES = Path(__file__).with_name("mpi_cases.py")
RANKS = [1, 2, 3, 4]

GOOD = {
    "rmat:8": (".mtx", ".graph", ".txt", ".bin", ".troth", ".npz", ".mtx.gz", ".csv"),
    "urand:6:weights=integer": (".mtx", ".graph", ".tsv", ".wel", ".troth"),
    "path:5:weights=unit": (".mtx", ".graph", ".el", ".edges", ".troth"),
    "path:0": (".mtx", ".graph", ".txt", ".bin", ".troth"),
}

TEXTS = {
    # No header: ids with large gaps, in both directions; then ids that stay, though some are not used.
    "good-gaps.txt": "".join(f"{5**i} {5**j}\n" for i in range(20) for j in (i - 1, i + 1) if 0 <= j < 20),
    "good-near.txt": "# a comment\n7 3 1.5\n3 7 1.5\n\n0 7 2\n3 0 4",
    # Whole numbers in some ranges, none in others.
    "good-mixed.txt": "".join(f"{i} {i + 1} {i if i < 40 else i + 0.5}\n" for i in range(50)),
    "good-general.mtx": "%%MatrixMarket matrix coordinate integer general\n3 3 4\n1 2 5\n3 2 6\n2 1 5\n2 3 6\n",
    "good-isolated.graph": "% comment\n5 2 011\n9 2 4\n1 1 4 4 7\n1\n1 2 7\n1\n",
    "bad-line.txt": "0 1 2.5\n" + "".join(f"{i} {i + 1} 1\n" for i in range(1, 60)) + "61 x 3\n",
    "bad-loop.txt": "".join(f"{i} {i + 1}\n" for i in range(60)) + "60 60\n",
    "bad-unequal.txt": "".join(f"{i} {i + 1} 1\n" for i in range(60)) + "3 2 4\n",
    "bad-count.mtx": "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n2 1\n3 2\n",
    "bad-id.mtx": "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n4 2\n",
    "bad-twice.mtx": "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n2 1\n3 2\n2 1\n",
    "bad-oneway.mtx": "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 5\n3 2 6\n2 1 5\n",
    "bad-lines.graph": "4 2\n2\n1\n",
    "bad-word.graph": "3 2\n2\n1 3\ntwo\n",
    "bad-edges.graph": "3 3\n2\n1 3\n2\n",
    "bad-extra.graph": "2 1\n2\n1\n1\n",
}

ERRORS = {
    "bad-line.txt": r"bad-line.txt, line 61: 'x' is not a vertex id",
    "bad-loop.txt": r"bad-loop.txt: line 61 is an edge from a vertex to itself",
    "bad-unequal.txt": r"edge \(2, 3\) is given with different weights",
    "bad-count.mtx": r"bad-count.mtx has 2 entries but 3 in its header",
    "bad-id.mtx": r"bad-id.mtx, line 4: 4 is outside the matrix",
    "bad-twice.mtx": r"bad-twice.mtx: .*edge \(0, 1\) is given twice.*counted from 0 here",
    "bad-oneway.mtx": r"bad-oneway.mtx: .*row 2 holds column 1 but row 1 does not hold column 2",
    "bad-lines.graph": r"bad-lines.graph has lines for 2 vertices but 4",
    "bad-word.graph": r"bad-word.graph, line 4: 'two' is not a vertex",
    "bad-edges.graph": r"bad-edges.graph has 4 entries but 3 edges",
    "bad-extra.graph": r"bad-extra.graph, line 4: '1' stands after the lines of all 2 vertices",
    "bad-short.bin": r"bad-short.bin is truncated",
    "bad-offsets.bin": r"bad-offsets.bin: .*the offsets of rows do not rise",
    "bad-vertex.bin": r"bad-vertex.bin: .*row 31 holds column 99, but the 32 vertices",
    "bad-nan.bin": r"bad-nan.bin: .*weight of edge \(31, 30\) is NaN",
    "scatter_of_nothing": r"scatter takes a troth.Graph on rank 0, not NoneType",
    "nan_on_the_last_rank": r"weight of edge \(63, 62\) is NaN",
    "nan_in_the_edges_of_the_last_rank": r"weight of edge \(1, 2\) is NaN",
    "one_way": r"row 62 holds column 63 but row 63 does not hold column 62; call troth.symmetrize",
    "unequal": r"entries \(62, 63\) and \(63, 62\) are \S+ and 5.0; call troth.symmetrize",
    "a_column_out_of_range": r"row 63 holds column 64, but the 64 vertices",
    "no_such_balance": r"unknown balance 'vertex': did you mean 'vertices'",
    "no_such_file": r"FileNotFoundError.*nowhere.mtx does not exist",
    "a_loop": r"edge number 0 is \(3, 3\), a loop",
}
# With one rank there is nobody to disagree with.
ERRORS_OF_MANY = {
    "unequal_edges": r"edge \(0, 2\) is given with different weights; call troth.sum_duplicates",
    "edges_given_twice": r"edge \(2, 4\) is given twice",
    "weights_of_two_types": r"weights of type float32 here but weights of type float64 on rank 0",
    "two_specs": r"spec is 'path:2' on rank 0 but 'path:3' on rank \d",
}
NAMED = {"bad-line.txt", "nan_on_the_last_rank", "nan_in_the_edges_of_the_last_rank", "weights_of_two_types"}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Graph files that are read whole, and some that are damaged."""
    folder = tmp_path_factory.mktemp("files")
    for number, (spec, suffixes) in enumerate(GOOD.items()):
        for suffix in suffixes:
            troth.write(troth.generate(spec, seed=SEED), folder / f"good-{number}{suffix}")
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    write_damaged(folder)
    return folder


def write_damaged(folder):
    path = troth.generate("path:5")
    whole = folder / "good-path.bin"
    troth.write(path, whole)
    raw = whole.read_bytes()
    records = 8 * (2 + 33)
    for name, at, word in (
        ("offsets", 8 * (2 + 30), np.int64(7)),
        ("vertex", -16, np.int64(99)),
        ("nan", -8, np.float64("nan")),
    ):
        damaged = bytearray(raw)
        place = at if at >= 0 else len(raw) + at
        assert name == "offsets" or place >= records
        damaged[place : place + 8] = word.tobytes()
        (folder / f"bad-{name}.bin").write_bytes(damaged)
    (folder / "bad-short.bin").write_bytes(raw[:-5])


@pytest.fixture(scope="module", params=RANKS)
def outcomes(request, files, mpiexec):
    """What came of every case on so many ranks, from one start of mpiexec."""
    done = mpiexec(request.param, CASES, files)
    assert done.returncode == 0, done.stderr
    return request.param, json.loads(done.stdout)


def test_graphs_equal_the_serial_ones(outcomes):
    ranks, came = outcomes
    expected = ERRORS if ranks == 1 else {**ERRORS, **ERRORS_OF_MANY}
    failed = {name: said for name, said in came.items() if said and name not in expected and name not in ERRORS_OF_MANY}
    assert not failed
    assert len(came) > 70


@pytest.mark.parametrize("name", [*ERRORS, *ERRORS_OF_MANY])
def test_an_error_of_one_rank_is_told_by_all(outcomes, name):
    ranks, came = outcomes
    if ranks == 1 and name in ERRORS_OF_MANY:
        assert came[name] is None
        return
    said = came[name]
    assert set(said) == {said[0]}
    assert re.search({**ERRORS, **ERRORS_OF_MANY}[name], said[0]), said[0]
    if name in NAMED and ranks > 1:
        assert f"rank {ranks - 1}: " in said[0]


def test_an_error_nobody_catches_ends_all_ranks(mpiexec, files, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(f"import troth\ntroth.DistGraph.from_file({str(files / 'bad-line.txt')!r})\nprint('went on')\n")
    done = mpiexec(3, program)
    assert done.returncode != 0
    assert "went on" not in done.stdout
    assert "line 61: 'x' is not a vertex id" in done.stderr
