"""troth match over ranks: virtual ones, those of mpiexec, and those that it starts itself."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

import troth
from troth.comm.launch import command
from troth.graph.dist.process_graph import process_graph

SEED = 20261119
SECONDS = 90
TROTH = [sys.executable, "-m", "troth.cli"]

needs_mpi = pytest.mark.skipif(find_spec("mpi4py") is None, reason="mpi4py is not installed: pip install 'troth[mpi]'")


@pytest.fixture
def shell(tmp_path):
    """Run a command line in an empty directory, to its end."""

    def shell(*command):
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS, check=False)

    return shell


def mates(graph):
    return troth.max_weight_matching(graph).mate


@pytest.mark.parametrize("algorithm", ["suitor", "locally-dominant"])
@pytest.mark.parametrize("ranks", [1, 5, 64])
def test_virtual_ranks(run, tmp_path, ranks, algorithm):
    line = f"match rmat:8 --seed {SEED} --transport virtual --ranks {ranks} --algorithm {algorithm} --aggregate 3"
    result = run(*line.split(), "--json", "-o", "mates.npy", "--ledger", "ledger.npz")
    assert result.code == 0, result.err
    said, graph = json.loads(result.out), troth.generate("rmat:8", seed=SEED)
    matching = troth.max_weight_matching(graph)
    found = np.load(tmp_path / "mates.npy")
    assert found.dtype == matching.mate.dtype
    np.testing.assert_array_equal(found, matching.mate)
    assert (said["cardinality"], said["weight"]) == (matching.cardinality, matching.weight)
    assert (said["backend"], said["transport"], said["ranks"], said["verified"]) == ("virtual", "virtual", ranks, True)
    with np.load(tmp_path / "ledger.npz") as ledger:
        assert ledger["messages"].shape == (ranks, ranks)
        assert (ledger["messages"].sum(), ledger["bytes"].sum()) == (said["messages"], said["bytes"])
        assert ledger["round_bytes"].sum() == said["bytes"]
    assert said["peak_memory"] > 0
    assert said["computation"]["mean"] > 0


def test_virtual_pairs_and_table(run, tmp_path):
    result = run("match", "grid2d:9", "--transport", "virtual", "--ranks", "4", "-o", "pairs.csv", "--balance", "edges")
    assert result.code == 0, result.err
    assert "4, transport virtual" in result.out
    assert (tmp_path / "pairs.csv").read_text().startswith("u,v,weight\n")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("match path:3 --transport virtul --ranks 2", "unknown transport 'virtul': did you mean 'virtual'"),
        ("match path:3 --transport virtual", "needs a number of ranks; add --ranks"),
        ("match path:3 --transport rma --ranks 2 --algorithm greedy", "unknown distributed algorithm 'greedy'"),
        ("match path:3 --ranks 2 --balance edge", "unknown balance 'edge'"),
        ("match path:3 --ranks 2 --plot x.png", "--plot is for one process"),
        ("match path:3 --ranks 2 --backend threads", "--backend is for one process"),
        ("match path:3 --ranks 2 -o x.csv", "-o x.csv: the name must end in .npy"),
        ("match path:3 --ranks 2 --ledger x.npy", "--ledger x.npy: the name must end in .npz"),
        ("match path:3 --ranks 0", "greater than or equal to 1"),
        ("match path:3 --ranks 2 --tie-break hsh", "tie_break is 'hsh'"),
        ("match path:3 --aggregate 2", "--aggregate is for many ranks"),
        ("match path:3 --ledger x.npz", "--ledger is for many ranks"),
        ("match path:3 --balance edges", "--balance is for many ranks"),
        ("match nowhere.mtx --ranks 2", "there is no file nowhere.mtx"),
    ],
)
def test_what_cannot_be(fails, line, sentence):
    assert sentence in fails(*line.split())


@needs_mpi
def test_under_mpiexec(shell, tmp_path):
    line = f"match rgg:9 --seed {SEED} --transport rma --json -o mates.npy --ledger ledger.npz"
    done = shell(*command(3, [*TROTH, *line.split()]))
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)  # One object: only rank 0 speaks.
    assert (said["backend"], said["transport"], said["ranks"], said["verified"]) == ("mpi", "rma", 3, True)
    np.testing.assert_array_equal(np.load(tmp_path / "mates.npy"), mates(troth.generate("rgg:9", seed=SEED)))
    for name in ("computation", "communication"):
        assert 0 < said[name]["mean"] <= said[name]["max"]
    with np.load(tmp_path / "ledger.npz") as ledger:
        assert (ledger["messages"].sum(), ledger["bytes"].sum()) == (said["messages"], said["bytes"])


@needs_mpi
def test_ranks_are_started_and_a_file_is_mended(shell, tmp_path):
    (tmp_path / "a.txt").write_text("0 1 5\n1 2 7\n2 2 1\n2 3 5\n")
    done = shell(*TROTH, "match", "a.txt", "--ranks", "2", "--drop-loops", "--no-verify", "--json", "-o", "-m.npy")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert (said["ranks"], said["weight"], said["verified"]) == (2, 7.0, None)
    assert said["why"].startswith(said["transport"])
    assert np.load(tmp_path / "-m.npy").tolist() == [-1, 2, 1, -1]


@needs_mpi
def test_one_rank_is_started(shell):
    done = shell(*TROTH, "match", "path:5", "--ranks", "1", "--transport", "nsr", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["ranks"] == 1


@needs_mpi
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["match", "loop.txt"], "loop.txt: line 20 is an edge from a vertex to itself; add --drop-loops"),
        (["match", "path:3", "--transport", "ncll"], "unknown transport 'ncll'"),
        (["match", "path:3", "--transprt", "ncl"], "no such option: --transprt"),
        (["match", "nowhere.mtx"], "there is no file nowhere.mtx"),
        (["match", "path:3", "--ranks", "2"], "--ranks is 2 but mpiexec started 3"),
    ],
)  # fmt: skip
def test_an_error_is_told_once(shell, tmp_path, arguments, sentence):
    (tmp_path / "loop.txt").write_text("".join(f"{i} {i + 1}\n" for i in range(19)) + "7 7\n")
    done = shell(*command(3, [*TROTH, *arguments]))
    assert done.returncode == 2
    assert done.stdout == ""
    told = [line for line in done.stderr.splitlines() if line.startswith("troth: ")]
    assert len(told) == 1, done.stderr
    assert sentence in told[0]


@pytest.mark.parametrize("balance", ["vertices", "edges"])
def test_info_of_many_ranks(run, balance):
    said = json.loads(run("info", "rmat:8", "--ranks", "20", "--balance", balance, "--json").out)["process_graph"]
    assert said.pop("balance") == balance
    assert said == process_graph(troth.generate("rmat:8"), 20, balance=balance).figures()
    table = run("info", "rmat:8", "--ranks", "20", "--balance", balance).out
    for word in ("|Ep|", f"dmax {said['degree']['max']}", f"{said['augmented_edges']['total']:,} edges", "sigma"):
        assert word in table


def test_without_mpi4py_one_sentence(shell, tmp_path):
    (tmp_path / "mpi4py.py").write_text("raise ImportError('no module of that name')\n")
    search = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH", ""))))
    environment = {**os.environ, "PYTHONPATH": search}
    done = subprocess.run(
        [*TROTH, "match", "path:3", "--transport", "ncl"],
        env=environment, capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == "troth: MPI is not available (no module of that name): pip install 'troth[mpi]'\n"
