"""Both programs, on any number of ranks and whatever happens to their mail, give the mates of the greedy method."""

import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import troth
from troth.comm.ledger import Ledger
from troth.comm.virtual import run_virtual
from troth.graph.dist.part import even_ranges, split
from troth.matching.distributed import PROGRAMS, bids, locally_dominant, match_virtual, suitor

SEED = 20261124

MODULES = {"suitor": suitor, "locally-dominant": locally_dominant}
DELIVERIES = {
    "in order": {},
    "shuffled": {"shuffle": True, "seed": SEED},
    "delayed": {"delay": 0.5, "seed": SEED},
    "single records": {"split": 1},
    "all at once": {"shuffle": True, "delay": 0.3, "split": 3, "seed": SEED},
}
RUNS = [(1, "in order"), (2, "all at once"), (3, "single records"), (4, "delayed"), (64, "in order"), (64, "shuffled")]


def star(n):
    return n, np.zeros(n - 1, int), np.arange(1, n)


def grid(side):
    number = np.arange(side * side).reshape(side, side)
    right, down = (number[:, :-1], number[:, 1:]), (number[:-1], number[1:])
    return side * side, *(np.concatenate((right[i].ravel(), down[i].ravel())) for i in (0, 1))


def islands(n):
    """Complete graphs on the vertices of equal remainder: ranks share all of them, but vertices few neighbours."""
    u, v = np.triu_indices(n, 1)
    same = u % 12 == v % 12
    return n, u[same], v[same]


def generated(spec):
    graph = troth.generate(spec)
    u, v, _ = graph.edges()
    return graph.n_vertices, u, v


ENDS = {
    "rmat": lambda: generated("rmat:7:edge_factor=6"),
    "rgg": lambda: generated("rgg:7"),
    "path": lambda: (150, np.arange(149), np.arange(1, 150)),
    "star": lambda: star(90),
    "grid": lambda: grid(11),
    "islands": lambda: islands(96),
    "empty": lambda: (0, np.zeros(0, int), np.zeros(0, int)),
    "one vertex": lambda: (1, np.zeros(0, int), np.zeros(0, int)),
    "one edge": lambda: (2, np.array([0]), np.array([1])),
}
SMALL = ("empty", "one vertex", "one edge")
WEIGHTS = {
    "uniform": lambda m, rng: rng.random(m),
    "float32": lambda m, rng: rng.random(m).astype(np.float32),
    "tied": lambda m, rng: rng.integers(1, 4, m).astype(np.float64),
    "unit": lambda m, rng: None,
    "nearly tied": lambda m, rng: 1.0 + rng.integers(0, 3, m) * 2.0**-52,
    "zero and negative": lambda m, rng: rng.integers(-3, 3, m),
    "largest integers": lambda m, rng: 2**63 - 1 - rng.integers(0, 2, m),
}


CASES = [(e, w) for e in ENDS for w in WEIGHTS if e not in SMALL or w in ("unit", "zero and negative")]


@pytest.fixture(scope="module", params=CASES, ids=lambda p: f"{p[0]}, {p[1]}")
def case(request, build_graph, greedy_oracle):
    ends, weights = request.param
    n, u, v = ENDS[ends]()
    graph = build_graph(n, u, v, WEIGHTS[weights](len(u), np.random.default_rng(SEED)))
    return graph, {hashed: greedy_oracle(graph, hashed).tolist() for hashed in (True, False)}


@pytest.fixture(scope="module")
def rmat():
    return troth.generate("rmat:10:weights=integer,max_weight=20")


@pytest.mark.parametrize("algorithm", PROGRAMS)
@pytest.mark.parametrize(("ranks", "how"), RUNS)
def test_equals_the_oracle(case, algorithm, ranks, how):
    graph, expected = case
    mate, _ = match_virtual(graph, ranks, algorithm=algorithm, **DELIVERIES[how])
    assert mate.tolist() == expected[True]


@pytest.mark.parametrize("algorithm", PROGRAMS)
def test_equals_the_oracle_with_ties_by_id_and_ranges_by_edges(case, algorithm):
    graph, expected = case
    mate, _ = match_virtual(graph, 5, algorithm=algorithm, tie_break="id", balance="edges", **DELIVERIES["shuffled"])
    assert mate.tolist() == expected[False]


@pytest.mark.parametrize("algorithm", PROGRAMS)
@pytest.mark.parametrize("how", DELIVERIES)
@pytest.mark.parametrize("threads", [2, 5])
def test_threads_change_nothing(rmat, monkeypatch, algorithm, how, threads):
    monkeypatch.setattr(bids, "_BRIEF", -1)
    monkeypatch.setattr(MODULES[algorithm], "_CHUNK", 8)
    expected = troth.max_weight_matching(rmat).mate
    for ranks in (1, 3):
        mate, _ = match_virtual(rmat, ranks, algorithm=algorithm, threads=threads, **DELIVERIES[how])
        assert np.array_equal(mate, expected)


@st.composite
def small_cases(draw):
    n = draw(st.integers(1, 12))
    pairs = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda p: p[0] < p[1])
    ends = draw(st.lists(pairs, unique=True, max_size=30)) if n > 1 else []
    value = st.sampled_from([0.0, -0.0, -1.0, 5e-324, 1.0, 1.0 + 2**-52, 2.0, 1e308])
    borders = sorted(draw(st.lists(st.integers(0, n), max_size=6)))
    return n, ends, [draw(value) for _ in ends], np.array([0, *borders, n])


@settings(max_examples=200, deadline=None)
@given(small_cases(), st.sampled_from(list(PROGRAMS)), st.integers(0, 2**32), st.booleans(), st.floats(0, 0.8))
def test_shapes_ranges_and_orders_nobody_thought_of(build_graph, greedy_oracle, drawn, algorithm, seed, hashed, delay):
    n, ends, weights, starts = drawn
    u, v = np.array(ends, np.int64).reshape(-1, 2).T
    graph = build_graph(n, u, v, np.array(weights, np.float64))
    parts = list(split(graph, starts))
    programs = [PROGRAMS[algorithm](part, hashed) for part in parts]
    run_virtual(programs, parts, seed=seed, shuffle=True, delay=delay, split=1)
    mate = np.concatenate([program.mates() for program in programs])
    assert mate.tolist() == greedy_oracle(graph, hashed).tolist()


class Listening:
    """A program, and a count of what it was told: (kind, vertex that told it, vertex told)."""

    def __init__(self, program):
        self.program = program
        self.width, self.local_end = program.width, program.local_end
        self.records_per_cross_edge = program.records_per_cross_edge
        self.start, self.active = program.start, program.active
        self.first, self.told, self.bytes = program.part.first, Counter(), 0

    def receive(self, inbox, out):
        bits = {3: 1, 2: 2}[self.width]
        for word, name in inbox[:, :2].tolist():
            self.told[word & (2**bits - 1), name, self.first + (word >> bits)] += 1
        self.bytes += inbox.nbytes
        self.program.receive(inbox, out)


def listen(graph, ranks, algorithm, ledger=None, **how):
    parts = list(split(graph, even_ranges(graph.n_vertices, ranks)))
    programs = [Listening(PROGRAMS[algorithm](part, True)) for part in parts]
    return programs, parts, run_virtual(programs, parts, ledger=ledger, **how)


@pytest.mark.parametrize("how", ["in order", "all at once"])
def test_suitor_sends_a_proposal_and_an_answer_at_most(case, how):
    programs, parts, report = listen(case[0], 7, "suitor", **DELIVERIES[how])
    for program in programs:
        assert set(program.told.values()) <= {1}
        assert {kind for kind, _, _ in program.told} <= {suitor.PROPOSE, suitor.REJECT}
    assert report.records <= 2 * sum(int(part.cross_edges.sum()) for part in parts)


@pytest.mark.parametrize("how", ["in order", "all at once"])
def test_locally_dominant_says_one_thing_over_an_edge_and_ends(case, how):
    programs, parts, report = listen(case[0], 7, "locally-dominant", **DELIVERIES[how])
    edges = Counter()
    for program in programs:
        said = Counter((name, vertex) for kind, name, vertex in program.told.elements() if kind != locally_dominant.END)
        assert set(said.values()) <= {1}
        edges += said
    pairs = sum(part.neighbours.size for part in parts)
    ends = sum(kind == locally_dominant.END for program in programs for kind, _, _ in program.told)
    assert ends == pairs
    assert report.records == edges.total() + pairs <= sum(int(part.cross_edges.sum()) for part in parts) + pairs


@pytest.mark.parametrize("algorithm", PROGRAMS)
@pytest.mark.parametrize("how", DELIVERIES)
def test_the_ledger_has_the_bytes_that_the_programs_received(rmat, algorithm, how):
    ledger = Ledger(6)
    programs, _, report = listen(rmat, 6, algorithm, ledger, **DELIVERIES[how])
    assert ledger.bytes.sum(axis=0).tolist() == [program.bytes for program in programs]
    told = sum(program.told.total() for program in programs)
    assert report.records == told > 0
    assert report.bytes == told * programs[0].width * 8


@pytest.fixture
def of_two_ranks(build_graph):
    """A graph of edges (u, v, weight) among n vertices, to be matched on two ranks."""

    def build(n, *edges):
        u, v, weights = zip(*edges, strict=True)
        return build_graph(n, u, v, np.array(weights, np.float64))

    return build


def test_rivals_of_one_rank_settle_it_before_they_propose(of_two_ranks):
    hub = 5
    star = of_two_ranks(10, *((leaf, hub, 1.0 + leaf) for leaf in range(5)))
    _, report = match_virtual(star, 2)
    assert report.records == 2  # one proposal in each direction, and no refusal


def test_a_refusal_deters_rivals_as_well(of_two_ranks):
    # 0 and 1 propose to 4 and 6, who have better; 1 would be next at 4 but for the 10 that 0 was told of.
    graph = of_two_ranks(8, (0, 4, 5.0), (4, 5, 10.0), (1, 6, 9.0), (6, 7, 20.0), (1, 4, 7.0))
    mate, report = match_virtual(graph, 2)
    assert mate.tolist() == [-1, -1, -1, -1, 5, 4, 7, 6]
    assert report.records == 4


def test_hopeless_proposals_are_not_sent(rmat):
    _, parts, report = listen(rmat, 2, "suitor")
    assert report.records < sum(int(part.cross_edges.sum()) for part in parts) / 4


class Deaf(Listening):
    """A program that loses one record."""

    def receive(self, inbox, out):
        super().receive(inbox[1:] if self.told.total() == 0 else inbox, out)


def test_a_lost_record_is_noticed_by_locally_dominant(rmat):
    parts = list(split(rmat, even_ranges(rmat.n_vertices, 3)))
    programs = [PROGRAMS["locally-dominant"](part, True) for part in parts]
    with pytest.raises(RuntimeError, match="rank 1 still waits"):
        run_virtual([programs[0], Deaf(programs[1]), programs[2]], parts)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"algorithm": "suitr"}, "unknown distributed algorithm 'suitr': did you mean 'suitor'"),
        ({"tie_break": "name"}, "tie_break is 'name'"),
        ({"threads": 0}, "threads is 0"),
        ({"n_ranks": 0}, "n_ranks is 0"),
        ({"n_ranks": 1.5}, "n_ranks is 1.5"),
        ({"balance": "weight"}, "unknown balance 'weight'"),
    ],
)
def test_what_makes_no_sense_is_refused(rmat, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        match_virtual(rmat, **({"n_ranks": 2} | options))


PLAIN = """
import numpy as np, troth, troth.graph.build
from troth.matching.distributed import PROGRAMS, match_virtual
rng = np.random.default_rng(20261125)
for draw in range(3):
    n = int(rng.integers(5, 40))
    u, v = np.triu_indices(n, 1)
    keep = rng.random(u.size) < 0.4
    graph = troth.graph.build.from_edges(u[keep], v[keep], rng.integers(-1, 4, keep.sum()).astype(float), n_vertices=n)
    expected = troth.max_weight_matching(graph, threads=1).mate.tolist()
    for algorithm in PROGRAMS:
        mate, _ = match_virtual(graph, 4, algorithm=algorithm, shuffle=True, delay=0.4, seed=draw)
        assert mate.tolist() == expected, algorithm
print("equal")
"""


def test_all_kernels_run_as_plain_python():
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}
    done = subprocess.run([sys.executable, "-c", PLAIN], env=environment, capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "equal", done.stderr
