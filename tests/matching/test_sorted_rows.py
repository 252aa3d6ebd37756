"""SortedRows: sorted once by the edge order, used many times, with the same weights and with changed ones."""

import numpy as np
import pytest

import troth
from troth.graph.order import ties


@pytest.mark.parametrize("tie_break", ["hash", "id"])
@pytest.mark.parametrize("threads", [1, 3])
def test_rows_are_sorted_by_weight_then_tie(tied_graph, tie_break, threads):
    rows = troth.SortedRows(tied_graph, tie_break=tie_break, threads=threads)
    rank = ties(tied_graph.n_vertices, tie_break == "hash").tolist()
    matrix = tied_graph.to_scipy()
    for u in range(tied_graph.n_vertices):
        inside = slice(tied_graph.indptr[u], tied_graph.indptr[u + 1])
        expected = sorted(tied_graph.indices[inside].tolist(), key=lambda v: (matrix[u, v], rank[v]), reverse=True)
        assert rows.neighbours[inside].tolist() == expected


@pytest.mark.parametrize("algorithm", ["suitor-s", "suitor-ds"])
def test_sorted_rows_serve_again_and_with_new_weights(tied_graph, greedy_oracle, algorithm):
    rows = troth.SortedRows(tied_graph, threads=2)
    for _ in range(2):
        first = troth.max_weight_matching(rows, algorithm=algorithm, threads=2)
        assert first.mate.tolist() == greedy_oracle(tied_graph).tolist()
    changed = np.sqrt(tied_graph.weights) + (tied_graph.weights == 3) * 5
    rows.reweight(changed)
    second = troth.max_weight_matching(rows, algorithm=algorithm)
    assert second.mate.tolist() == greedy_oracle(rows.graph).tolist()
    assert second.mate.tolist() != first.mate.tolist()
    second.verify(troth.Graph(tied_graph.indptr, tied_graph.indices, changed))


def test_patterns_can_be_sorted_and_reweighted(build_graph, greedy_oracle):
    graph = build_graph(30, *np.triu_indices(30, 1))
    rows = troth.SortedRows(graph)
    assert troth.max_weight_matching(rows, algorithm="suitor-s").mate.tolist() == greedy_oracle(graph).tolist()
    matrix = np.random.default_rng(20261122).random((30, 30))
    rows.reweight((matrix + matrix.T)[~np.eye(30, dtype=bool)])
    assert troth.max_weight_matching(rows, algorithm="suitor-s").mate.tolist() == greedy_oracle(rows.graph).tolist()


def test_misuse_is_named(tied_graph):
    rows = troth.SortedRows(tied_graph)
    with pytest.raises(ValueError, match="not 'suitor'; pass rows.graph"):
        troth.max_weight_matching(rows)
    with pytest.raises(ValueError, match="sorted with tie_break='hash'"):
        troth.max_weight_matching(rows, algorithm="suitor-s", tie_break="id")
    with pytest.raises(ValueError, match="weight"):
        rows.reweight(np.full(tied_graph.indices.size, np.nan))
