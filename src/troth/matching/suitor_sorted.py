"""The Suitor algorithm on rows sorted by weight [1], eager or delayed, and the sorted rows to use again.

With the heaviest entry first, a vertex that was displaced goes on where it stopped: a neighbour that once declined
never accepts later. Each entry is read at most once, O(m) after the sort. Same ties and same result as
matching/suitor.py. SortedRows keeps the sorted rows: sort once, match often. `reweight` takes changed weights and sorts
each row again from its last order, which costs one look at a row whose order still holds.

Race: place[u] is written by the thread that u's last proposal came from, before the proposal; whoever displaces u has
read that proposal, and so sees the place.

[1] Manne, Halappanavar. New Effective Multithreaded Matching Algorithms. IPDPS 2014.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from troth.graph.canonical import find_entry
from troth.graph.csr import Graph
from troth.graph.order import check_tie_break, ties, weight_keys
from troth.kernels import atomics, team
from troth.kernels.jit import compiled, inlined
from troth.kernels.sort import STACK, sort
from troth.matching.offers import accepts
from troth.matching.problem import Problem
from troth.matching.suitor_delayed import propose_again


class SortedRows:
    """A graph together with its rows sorted by the edge order, heaviest first.

    Pass it to `max_weight_matching` in place of the graph with algorithm="suitor-s" or "suitor-ds". Takes the memory of
    the graph's entries once more.
    """

    def __init__(self, graph: Graph, *, tie_break: str = "hash", threads: int | None = None) -> None:
        self.graph = graph
        self.tie_break = tie_break
        self._problem = Problem(graph, check_tie_break(tie_break), team.check_threads(threads))
        self.keys: NDArray[Any] = weight_keys(graph.weights, graph.indices.size).copy()
        by_rank = np.argsort(ties(graph.n_vertices, self._problem.hashed))[::-1].astype(graph.indices.dtype)
        self._vertex_of_rank = by_rank
        self._rank = np.empty_like(by_rank)
        self._rank[by_rank] = np.arange(by_rank.size, dtype=by_rank.dtype)
        self.neighbours: NDArray[Any] = graph.indices.copy()
        self._sort()

    def reweight(self, weights: ArrayLike) -> None:
        """Take new weights, one for each stored entry in the graph's own order; the pattern stays."""
        old = self.graph
        weights = np.asarray(weights, dtype=None if old.weights is None else old.weights.dtype)
        # The full check: a NaN or an unsymmetric value must not reach a kernel.
        self.graph = Graph.from_csr(old.indptr, old.indices, weights, labels=old.labels, threads=self._problem.threads)
        self._problem = Problem(self.graph, self._problem.hashed, self._problem.threads)
        new_keys = weight_keys(self.graph.weights, self.graph.indices.size)
        if self.keys.dtype != new_keys.dtype:
            self.keys = np.empty_like(new_keys)
        graph = self.graph
        self._problem.run_rows(
            "reading weights", fetch_keys, graph.indptr, graph.indices, new_keys, self.neighbours, self.keys
        )
        self._sort()

    def _sort(self) -> None:
        scratch = np.empty((self._problem.threads, STACK), np.int64)
        ranks = self._rank, self._vertex_of_rank
        self._problem.run_rows(
            "sorting rows", sort_rows, self.graph.indptr, self.neighbours, self.keys, *ranks, scratch
        )


@compiled
def fetch_keys(control, thread, indptr, indices, keys, neighbours, sorted_keys, chunk, n_chunks):
    """sorted_keys (OUT) := the keys of the entries in the order that neighbours has."""
    while True:
        number = team.take(control, n_chunks)
        if number < 0:
            return
        for u in range(team.first_vertex(indptr, number * chunk), team.first_vertex(indptr, (number + 1) * chunk)):
            for e in range(indptr[u], indptr[u + 1]):
                sorted_keys[e] = keys[find_entry(indptr, indices, u, neighbours[e])]


@compiled
def sort_rows(control, thread, indptr, neighbours, keys, rank, vertex_of_rank, scratch, chunk, n_chunks):
    """Sort each row by descending (key, tie). neighbours, keys: IN and OUT.

    The sort is ascending in (complement of key, rank of neighbour), rank 0 being the vertex that wins every tie.
    """
    while True:
        number = team.take(control, n_chunks)
        if number < 0:
            return
        for u in range(team.first_vertex(indptr, number * chunk), team.first_vertex(indptr, (number + 1) * chunk)):
            low, high = indptr[u], indptr[u + 1]
            for e in range(low, high):
                keys[e] = ~keys[e]
                neighbours[e] = rank[neighbours[e]]
            sort(keys, neighbours, low, high, scratch[thread])
            for e in range(low, high):
                keys[e] = ~keys[e]
                neighbours[e] = vertex_of_rank[neighbours[e]]


@inlined
def propose_next(rows, graph_rows, offers, place, u, shift, bits, exact, hashed):  # offers, place: IN and OUT
    """Let u propose to the first neighbour from its place on that accepts. Returns the vertex displaced, or -1."""
    indptr, neighbours, sorted_keys = rows
    indices, keys = graph_rows
    mask = (np.int64(1) << bits) - 1
    e, end = place[u], indptr[u + 1]
    while e < end and sorted_keys[e] > 0:
        v, key = np.int64(neighbours[e]), np.int64(sorted_keys[e])
        e += 1
        held = atomics.load(offers, v)
        while accepts(indptr, indices, keys, held, v, u, key, shift, bits, exact, hashed):
            place[u] = e
            seen = atomics.cas(offers, v, held, ((key >> shift) << bits) | np.int64(u + 1))
            if seen == held:
                return (held & mask) - 1
            held = seen
    place[u] = end
    return np.int64(-1)


@compiled
def propose_sorted(
    control, thread, rows, graph_rows, offers, place, waiting, delayed, shift, bits, exact, hashed, chunk, n_chunks
):
    """Every vertex proposes; the displaced at once or, if delayed, they go to waiting (OUT), control[COUNT] of them."""
    indptr = rows[0]
    while True:
        number = team.take(control, n_chunks)
        if number < 0:
            return
        for start in range(team.first_vertex(indptr, number * chunk), team.first_vertex(indptr, (number + 1) * chunk)):
            u = np.int64(start)
            while u >= 0:
                u = propose_next(rows, graph_rows, offers, place, u, shift, bits, exact, hashed)
                if delayed and u >= 0:
                    waiting[atomics.add(control, team.COUNT, 1)] = u
                    break


@compiled
def propose_queue(
    control, thread, rows, graph_rows, offers, place, queue, waiting, size, shift, bits, exact, hashed, chunk, n_chunks
):
    """Each of the `size` vertices in the queue proposes once; the displaced go to waiting, control[COUNT] of them."""
    while True:
        number = team.take(control, n_chunks)
        if number < 0:
            return
        for i in range(number * chunk, min((number + 1) * chunk, size)):
            u = np.int64(queue[i])
            displaced = propose_next(rows, graph_rows, offers, place, u, shift, bits, exact, hashed)
            if displaced >= 0:
                waiting[atomics.add(control, team.COUNT, 1)] = displaced


def suitor_sorted(problem: Problem, rows: SortedRows | None = None, *, delayed: bool = False) -> NDArray[Any]:
    """The mates, by proposals along sorted rows."""
    graph, pack = problem.graph, problem.packing
    if rows is None:
        rows = SortedRows(graph, tie_break="hash" if problem.hashed else "id", threads=problem.threads)
    n = graph.n_vertices
    offers, place = np.zeros(n, np.int64), graph.indptr[:-1].copy()
    queue, waiting = (np.empty(n if delayed else 0, graph.indices.dtype) for _ in range(2))
    data = (graph.indptr, rows.neighbours, rows.keys), (graph.indices, pack.keys), offers, place
    rules = pack.shift, pack.bits, pack.exact, problem.hashed
    control = problem.run_rows("proposing", propose_sorted, *data, waiting, delayed, *rules)
    propose_again(problem, propose_queue, data, waiting, queue, int(control[team.COUNT]), rules)
    return problem.mates(offers)


def suitor_sorted_delayed(problem: Problem, rows: SortedRows | None = None) -> NDArray[Any]:
    """The mates, by rounds of proposals along sorted rows."""
    return suitor_sorted(problem, rows, delayed=True)
