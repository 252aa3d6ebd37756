"""The Suitor algorithm with delayed proposals [1, 2]: whoever is displaced waits for the next round.

A vertex that is displaced early in a round would often be displaced again in the same round; waiting lets it see the
offers of all others first. Same invariant, same ties and same result as matching/suitor.py. Two queues of vertices.

[1] Manne, Halappanavar. New Effective Multithreaded Matching Algorithms. IPDPS 2014.
[2] Halappanavar et al. Codesign Lessons Learned from Implementing Graph Matching on Multithreaded Architectures. 2015.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.kernels import atomics, team
from troth.kernels.jit import compiled
from troth.matching.problem import Problem
from troth.matching.suitor import AHEAD, ask_for_row, propose

_QUEUE_CHUNK = 256


@compiled
def first_round(control, thread, indptr, indices, keys, offers, waiting, shift, bits, exact, hashed, chunk, n_chunks):
    """Every vertex proposes once. offers: IN and OUT, waiting: OUT, control[COUNT] of them."""
    n = indptr.shape[0] - 1
    while True:
        number = team.take(control, n_chunks)
        if number < 0:
            return
        for u in range(team.first_vertex(indptr, number * chunk), team.first_vertex(indptr, (number + 1) * chunk)):
            ask_for_row(indptr, indices, keys, min(u + AHEAD, n - 1))
            displaced = propose(indptr, indices, keys, offers, np.int64(u), shift, bits, exact, hashed)
            if displaced >= 0:
                waiting[atomics.add(control, team.COUNT, 1)] = displaced


@compiled
def next_round(
    control, thread, indptr, indices, keys, offers, queue, waiting, size, shift, bits, exact, hashed, chunk, n_chunks
):
    """Each of the `size` vertices in the queue proposes once. Otherwise as first_round."""
    while True:
        number = team.take(control, n_chunks)
        if number < 0:
            return
        last = min((number + 1) * chunk, size)
        for i in range(number * chunk, last):
            ask_for_row(indptr, indices, keys, np.int64(queue[min(i + AHEAD, last - 1)]))
            displaced = propose(indptr, indices, keys, offers, np.int64(queue[i]), shift, bits, exact, hashed)
            if displaced >= 0:
                waiting[atomics.add(control, team.COUNT, 1)] = displaced


def suitor_delayed(problem: Problem) -> NDArray[np.int64]:
    """The mates, by rounds of proposals."""
    graph, pack = problem.graph, problem.packing
    offers = np.zeros(graph.n_vertices, np.int64)
    queue, waiting = (np.empty(graph.n_vertices, graph.indices.dtype) for _ in range(2))
    rows = graph.indptr, graph.indices, pack.keys, offers
    rules = pack.shift, pack.bits, pack.exact, problem.hashed
    control = problem.run_rows("proposing", first_round, *rows, waiting, *rules)
    propose_again(problem, next_round, rows, waiting, queue, int(control[team.COUNT]), rules)
    return problem.mates(offers)


def propose_again(
    problem: Problem,
    kernel: Any,
    data: tuple[Any, ...],
    waiting: NDArray[Any],
    spare: NDArray[Any],
    size: int,
    rules: tuple[Any, ...],
) -> None:
    """Rounds of kernel(control, thread, *data, queue, waiting, size, *rules, chunk, n_chunks) until nobody waits."""
    while size:
        queue, waiting, spare = waiting, spare, waiting
        n_chunks = team.chunks_of(size, _QUEUE_CHUNK)
        args = *data, queue, waiting, size, *rules, _QUEUE_CHUNK, n_chunks
        size = int(problem.run("proposing again", kernel, *args, n_chunks=n_chunks)[team.COUNT])
