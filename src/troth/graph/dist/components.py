"""Connected components over ranks, as a program whose records may come in any order.

Each rank first joins what its own edges join, ghosts included, by hooking larger roots to smaller ones. From then on it
knows groups of vertices only. A group holds the smallest vertex it has heard of, its label, and tells a lower one to its
ghosts; when nobody has a lower one to tell, groups that share an edge have one label, the smallest of the component.

Sending. A ghost is told a label only if that is lower than all it was told, and than itself: in a call one record for
each ghost at most (`bound_is_per_call`), over the run as many as labels improve, in rounds about the diameter of the
graph of groups.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from troth.comm.program import Outbox, push
from troth.graph.dist.part import Part
from troth.kernels import atomics, team
from troth.kernels.jit import compiled

_CHUNK = 1 << 16
_VERTEX, _LABEL = range(2)


class Components:
    """One rank's side. A record is (own vertex of the receiver, label)."""

    width = 2
    records_per_cross_edge = 1
    bound_is_per_call = True
    local_end = False

    def __init__(self, part: Part, threads: int = 1) -> None:
        self._part = part
        self._root = _roots(part, threads)
        of_ghosts = self._root[part.n_own :]
        self._label: NDArray[np.int64] = part.names[: part.n_own].copy()
        np.minimum.at(self._label, of_ghosts, part.ghosts)
        # The ghosts of each group, in one list; every group has an own vertex, and its root is the first of them.
        self._ghosts = np.argsort(of_ghosts, kind="stable")
        self._first = np.searchsorted(of_ghosts[self._ghosts], np.arange(part.n_own + 1))
        self._told = part.ghosts.copy()
        self._lowered, self._is_lowered = np.empty(part.n_own, np.int64), np.zeros(part.n_own, np.bool_)
        self._routes = part.neighbour_of, part.ghost_rows

    def start(self, out: Outbox) -> None:
        own = self._root[: self._part.n_own]
        groups = np.flatnonzero(own == np.arange(own.size))
        self._tell(groups, out)

    def receive(self, inbox: NDArray[np.int64], out: Outbox) -> None:
        count = take_labels(inbox, self._root, self._label, self._is_lowered, self._lowered)
        if count:
            self._tell(self._lowered[:count], out)

    def active(self) -> int:
        return 0

    def labels(self) -> NDArray[np.int64]:
        """The smallest vertex of each own vertex's component."""
        labels: NDArray[np.int64] = self._label[self._root[: self._part.n_own]]
        return labels

    def _tell(self, groups: NDArray[np.int64], out: Outbox) -> None:
        tell_ghosts(
            groups, self._label, self._is_lowered, self._first, self._ghosts, *self._routes, self._told, *out.arrays
        )


def _roots(part: Part, threads: int) -> NDArray[np.int64]:
    """For each local vertex the first one of its group."""
    root = np.arange(part.names.size, dtype=np.int64)
    chunks = team.chunks_of(part.indices.size + part.n_own, _CHUNK)
    team.run(join_groups, part.indptr, part.indices, chunks, root, threads=threads)
    while not np.array_equal(flat := root[root], root):
        root = flat
    return root


@compiled
def find_root(root, v):
    """The root of v. Links are shortened on the way; they only ever lead further down, so writers cannot do harm."""
    while True:
        above = atomics.load(root, v)
        if above == v:
            return v
        atomics.store(root, v, atomics.load(root, above))
        v = above


@compiled
def join_groups(
    control, thread, indptr, indices, chunks,  # IN
    root,  # IN: every vertex its own. OUT: links that lead to the smallest of the group
):  # fmt: skip
    """Join the ends of all edges. A root is hooked by compare-and-swap, so each is hooked once, and no link is lost."""
    chunk = team.take(control, chunks)
    while chunk >= 0:
        for u in range(team.first_vertex(indptr, chunk * _CHUNK), team.first_vertex(indptr, (chunk + 1) * _CHUNK)):
            for e in range(indptr[u], indptr[u + 1]):
                low, high = find_root(root, np.int64(u)), find_root(root, np.int64(indices[e]))
                while low != high:
                    if low > high:
                        low, high = high, low
                    if atomics.cas(root, high, high, low) == high:
                        break
                    low, high = find_root(root, low), find_root(root, high)
        chunk = team.take(control, chunks)


@compiled
def take_labels(
    inbox, root,  # IN
    label,  # IN and OUT
    is_lowered,  # IN: all False. OUT: True for the groups lowered
    lowered,  # OUT: these groups
):  # fmt: skip
    """Note all labels; returns the number of groups that now have a lower one."""
    count = 0
    for i in range(inbox.shape[0]):
        group = root[inbox[i, _VERTEX]]
        if inbox[i, _LABEL] < label[group]:
            label[group] = inbox[i, _LABEL]
            if not is_lowered[group]:
                is_lowered[group] = True
                lowered[count] = group
                count += 1
    return count


@compiled
def tell_ghosts(
    groups, label, is_lowered, first, ghosts, neighbour_of, ghost_rows,  # IN; is_lowered OUT: all False
    told,  # IN and OUT: the lowest label each ghost was told
    records, starts, filled,  # OUT
):  # fmt: skip
    for i in range(groups.shape[0]):
        group = groups[i]
        is_lowered[group] = False
        for k in range(first[group], first[group + 1]):
            ghost = ghosts[k]
            if label[group] < told[ghost]:
                told[ghost] = label[group]
                row = push(records, starts, filled, neighbour_of[ghost])
                records[row, _VERTEX], records[row, _LABEL] = ghost_rows[ghost], label[group]
