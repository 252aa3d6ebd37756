"""Parts from split() against their definition, and the process graph against a count by hand."""

import numpy as np
import pytest

import troth
from troth.graph.dist.part import edge_ranges, even_ranges, split
from troth.graph.dist.process_graph import process_graph

SEED = 20261119
SPECS = ["rmat:7", "rgg:8", "grid2d:6:weights=integer", "path:4:weights=unit", "urand:6:edge_factor=1", "path:0"]
RANKS = [1, 2, 3, 7, 64]


def ranges(graph, n_ranks, balance):
    return even_ranges(graph.n_vertices, n_ranks) if balance == "vertices" else edge_ranges(graph.indptr, n_ranks)


@pytest.fixture(params=SPECS)
def graph(request):
    return troth.generate(request.param, seed=SEED)


@pytest.mark.parametrize("n_ranks", RANKS)
@pytest.mark.parametrize("balance", ["vertices", "edges"])
def test_parts_are_what_they_say(graph, n_ranks, balance):
    starts = ranges(graph, n_ranks, balance)
    assert (starts[0], starts[-1], starts.size) == (0, graph.n_vertices, n_ranks + 1)
    owner = {v: rank for rank in range(n_ranks) for v in range(starts[rank], starts[rank + 1])}
    for rank, part in enumerate(split(graph, starts)):
        own = range(starts[rank], starts[rank + 1])
        rows = [graph.indices[graph.indptr[v] : graph.indptr[v + 1]].tolist() for v in own]
        away = [v for row in rows for v in row if v not in own]
        ghosts = sorted(set(away))
        assert (part.first, part.n_own, part.n_global) == (starts[rank], len(own), graph.n_vertices)
        assert part.ghosts.tolist() == ghosts
        assert part.names.tolist() == [*own, *ghosts]
        assert part.neighbours.tolist() == sorted({owner[v] for v in ghosts})
        assert [part.neighbours[k] for k in part.neighbour_of] == [owner[v] for v in ghosts]
        assert part.ghost_rows.tolist() == [v - starts[owner[v]] for v in ghosts]
        assert part.cross_edges.tolist() == [sum(owner[v] == k for v in away) for k in part.neighbours]
        assert np.diff(part.ghost_starts).tolist() == [sum(owner[v] == k for v in ghosts) for k in part.neighbours]
        assert part.indices.dtype == np.int32
        weights = graph.weights[graph.indptr[own.start] :] if graph.weights is not None else None
        for row, (low, high) in enumerate(zip(part.indptr[:-1], part.indptr[1:], strict=True)):
            local = part.indices[low:high]
            assert (np.diff(local) > 0).all()
            names = part.names[local]
            order = np.argsort(names)
            assert names[order].tolist() == rows[row]
            if weights is not None:
                assert part.weights[low:high][order].tolist() == weights[low:high].tolist()


@pytest.mark.parametrize("n_ranks", RANKS)
@pytest.mark.parametrize("balance", ["vertices", "edges"])
def test_process_graph_by_hand(graph, n_ranks, balance):
    starts = ranges(graph, n_ranks, balance)
    owner = np.searchsorted(starts, np.arange(graph.n_vertices), side="right") - 1
    u, v, _ = graph.edges()
    a, b = owner[u], owner[v]
    pairs = {(min(x, y), max(x, y)) for x, y in zip(a, b, strict=True) if x != y}
    degrees = [sum(rank in pair for pair in pairs) for rank in range(n_ranks)]
    augmented = [int(((a == rank) | (b == rank)).sum()) for rank in range(n_ranks)]
    found = process_graph(graph, n_ranks, balance=balance).figures()
    assert found == process_graph(split(graph, starts)).figures()
    assert (found["ranks"], found["edges"], found["cross_edges"]) == (n_ranks, len(pairs), int((a != b).sum()))
    assert found["degree"] == {"max": max(degrees), "mean": np.mean(degrees), "sigma": np.std(degrees)}
    assert found["augmented_edges"] == {
        "total": sum(augmented), "max": max(augmented), "mean": np.mean(augmented), "sigma": np.std(augmented),
    }  # fmt: skip


@pytest.mark.parametrize("n_ranks", [0, -1, True, 1.5, None])
def test_ranks_that_cannot_be(n_ranks):
    with pytest.raises(ValueError, match="give a whole number of at least 1"):
        process_graph(troth.generate("path:3"), n_ranks)


def test_balance_that_cannot_be():
    with pytest.raises(ValueError, match="did you mean 'edges'"):
        process_graph(troth.generate("path:3"), 2, balance="edge")


def test_no_parts():
    with pytest.raises(ValueError, match="there are no parts"):
        process_graph([])


@pytest.mark.parametrize("n_ranks", [2, 5, 9])
def test_a_geometric_graph_has_a_process_graph_that_is_a_path(n_ranks):
    figures = process_graph(troth.generate("rgg:14"), n_ranks).figures()
    assert (figures["edges"], figures["degree"]["max"]) == (n_ranks - 1, min(2, n_ranks - 1))
