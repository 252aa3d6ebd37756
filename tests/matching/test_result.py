"""Matching: what it holds and what can be asked of it."""

import dataclasses

import numpy as np
import pytest

import troth


@pytest.fixture
def matching(build_graph):
    graph = build_graph(5, [0, 1, 2, 3], [1, 2, 3, 4], np.array([2.0, 4.0, 1.0, 0.5]))
    return troth.max_weight_matching(graph)


def test_numbers_and_edges(matching):
    assert matching.mate.tolist() == [-1, 2, 1, 4, 3]
    assert matching.cardinality == len(matching) == 2
    assert matching.weight == 4.5
    assert matching.edges().tolist() == [[1, 2], [3, 4]]
    assert matching.to_set() == {(1, 2), (3, 4)}
    assert matching.to_set("abcde") == {("b", "c"), ("d", "e")}
    assert np.asarray(matching).tolist() == matching.mate.tolist()
    assert matching.graph.weights[matching.edge_ids].tolist() == [4.0, 0.5]
    assert matching.graph.indices[matching.edge_ids].tolist() == [2, 4]
    assert repr(matching) == "Matching(2 edges, weight 4.5, suitor)"


def test_it_is_frozen(matching):
    with pytest.raises(dataclasses.FrozenInstanceError):
        matching.mate = None


def test_labels_name_the_vertices():
    nx = pytest.importorskip("networkx")
    graph = nx.Graph()
    graph.add_weighted_edges_from([("ann", "bob", 3.0), ("bob", "cem", 5.0), ("cem", "dia", 4.0)])
    assert troth.max_weight_matching(graph).to_set() == {("bob", "cem")}


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        (np.array([2**62, 2**62, 2**62 + 1]), 3 * 2**62 + 1),
        (np.array([3, 4, 5], np.int32), 12),
        (np.array([0.5, 0.25, 1.0], np.float32), 1.75),
        (None, 3),
    ],
)
def test_weight_is_exact_and_of_the_weights_kind(build_graph, weights, expected):
    graph = build_graph(6, [0, 2, 4], [1, 3, 5], weights)
    weight = troth.max_weight_matching(graph).weight
    assert weight == expected
    assert type(weight) is type(expected)


def test_verify_takes_the_graph_in_any_form_and_refuses_another(matching, build_graph):
    matching.verify()
    matching.verify(matching.graph.to_scipy())
    with pytest.raises(ValueError, match=r"edge \(0, 1\) blocks"):
        matching.verify(build_graph(5, [0, 1, 2, 3], [1, 2, 3, 4], np.array([9.0, 4.0, 1.0, 0.5])))


def test_stats_tell_how(matching):
    graph = matching.graph
    assert troth.max_weight_matching(graph, backend="serial").stats.backend == "serial"
    stats = troth.max_weight_matching(graph, threads=3, tie_break="id").stats
    assert (stats.backend, stats.threads, stats.tie_break) == ("threads", 3, "id")
    assert set(stats.seconds) == {"convert", "compile", "match"}
    assert all(seconds >= 0 for seconds in stats.seconds.values())


def test_progress_is_reported():
    heard = []
    graph = troth.generate("urand:16")
    troth.max_weight_matching(graph, algorithm="greedy", progress=heard.append)
    assert all(isinstance(note, troth.Progress) and 0 <= note.done <= note.total for note in heard)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"algorithm": "siutor"}, "unknown algorithm 'siutor': did you mean 'suitor'"),
        ({"backend": "thread"}, "unknown backend 'thread': did you mean 'threads'"),
        ({"threads": 0}, "threads is 0"),
        ({"tie_break": "random"}, "tie_break is 'random'"),
        ({"backend": "serial", "threads": 2}, "has one thread, not 2"),
        ({"algorithm": "greedy", "backend": "threads"}, "has no threaded form"),
    ],
)
def test_bad_options_are_refused_before_any_work(options, sentence):
    class Untouchable:
        """Fails when anyone looks at it."""

        def __getattribute__(self, name):
            raise AssertionError(name)

    with pytest.raises(ValueError, match=sentence):
        troth.max_weight_matching(Untouchable(), **options)
