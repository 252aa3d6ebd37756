"""Programs whose records can be counted beforehand, and graphs with awkward parts."""

import numpy as np

from troth.graph.build import from_edges


class Walkers:
    """A walker starts over each cross edge, and goes on `steps` times over a cross edge of where it is.

    However records are ordered, the same vertices are visited equally often. A record is (receiver's vertex, steps
    left).
    """

    width = 2
    records_per_cross_edge = 64
    local_end = False

    def __init__(self, part, steps=3):
        self.part, self.steps = part, steps
        self.visits = np.zeros(part.n_own, np.int64)
        self.pushed = self.came = self.calls = 0
        self.failing_call = None

    def start(self, out):
        for vertex in range(self.part.n_own):
            for place in range(self.crossings(vertex).size):
                self.walk(vertex, place, self.steps, out)

    def receive(self, inbox, out):
        self.calls += 1
        if self.calls == self.failing_call:
            raise ValueError("the walkers are lost; give them a map")
        self.came += len(inbox)
        for vertex, left in inbox.tolist():
            self.visits[vertex] += 1
            if left:
                self.walk(vertex, left % self.crossings(vertex).size, left - 1, out)

    def crossings(self, vertex):
        row = self.part.indices[self.part.indptr[vertex] : self.part.indptr[vertex + 1]]
        return row[row >= self.part.n_own] - self.part.n_own

    def walk(self, vertex, place, left, out):
        ghost = self.crossings(vertex)[place]
        k = self.part.neighbour_of[ghost]
        row = out.starts[k] + out.filled[k]
        out.records[row] = self.part.ghosts[ghost] - self.part.starts[out.neighbours[k]], left
        out.filled[k] += 1
        self.pushed += 1

    def active(self):
        return 0


class Farewell(Walkers):
    """Owed nothing from the beginning, yet everyone sends: records that come when their receiver wants to leave."""

    local_end = True

    def __init__(self, part):
        super().__init__(part, steps=0)


class Expecting(Walkers):
    """Ends locally when a walker has come over every cross edge."""

    local_end = True

    def __init__(self, part):
        super().__init__(part, steps=0)

    def active(self):
        return int(self.part.cross_edges.sum()) - self.came


class Relay:
    """On a path: each rank waits for one record of the rank before it, and then sends one to the rank after it."""

    width = 1
    records_per_cross_edge = 1
    local_end = True

    def __init__(self, part, fails):
        self.part, self.fails, self.waits = part, fails, part.rank > 0

    def start(self, out):
        if self.fails:
            raise ValueError("the baton is broken; take another")
        if not self.waits:
            self.pass_on(out)

    def receive(self, inbox, out):
        if len(inbox):
            self.waits = False
            self.pass_on(out)

    def pass_on(self, out):
        after = np.flatnonzero(self.part.neighbours > self.part.rank)
        out.records[out.starts[after]] = 0
        out.filled[after] += 1

    def active(self):
        return int(self.waits)


class Greedy(Walkers):
    """One more walker than there is room for, where greedy."""

    records_per_cross_edge = 1

    def __init__(self, part, greedy):
        super().__init__(part, steps=0)
        self.greedy = greedy

    def receive(self, inbox, out):
        if self.greedy and len(inbox):
            out.filled[0] += 1


def path(n):
    u = np.arange(n - 1)
    return from_edges(u, u + 1, np.arange(1.0, n), n_vertices=n)


def awkward(n_ranks):
    """Name -> graph and first vertices of ranks."""
    from troth.graph.dist.part import even_ranges

    pairs = np.arange(0, 40, 2)
    graphs = {
        "short": path(3),
        "edgeless": from_edges(pairs[:0], pairs[:0], pairs[:0] * 1.0, n_vertices=9),
        "nothing": from_edges(pairs[:0], pairs[:0], pairs[:0] * 1.0, n_vertices=0),
        "pairs": from_edges(pairs, pairs + 1, pairs + 1.0, n_vertices=40),
    }
    cases = {name: (graph, even_ranges(graph.n_vertices, n_ranks)) for name, graph in graphs.items()}
    # Rank 0 owns one vertex, the last one all others, those between none.
    lopsided = np.full(n_ranks + 1, 1)
    lopsided[0], lopsided[-1] = 0, 30
    cases["lopsided"] = path(30), lopsided
    # A cycle of all vertices in ranks 0 and 1, another in 2 and 3.
    half = np.concatenate((np.arange(10), np.arange(10) + 10))
    other = np.concatenate((np.roll(np.arange(10), 1), np.roll(np.arange(10), 1) + 10))
    cycles = from_edges(half, other, half + 1.0, n_vertices=20)
    cases["two worlds"] = cycles, even_ranges(20, n_ranks)
    return cases
