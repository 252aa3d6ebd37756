"""auto: which transport suits a process graph, by the findings of paper 1, section V.

Neighbourhood collectives were the fastest where ranks have few neighbours (geometric graphs, meshes, matrices of small
bandwidth) and one-sided communication elsewhere, except where every rank neighbours all others and has little for
each: there a round costs more than its records, and sends without rounds were 1.5 to 2.7 times faster than both.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from troth.comm.errors import load_mpi
from troth.comm.transports.running import Run

FEW = 64
"""Neighbours up to which a neighbourhood is called bounded: the paper's meshes have up to 58 (87 after RCM)."""

CROWD = 512
"""Ranks from which the paper's dense process graphs made rounds slow."""

THIN = 4096
"""Records for each neighbour, over the whole run, below which a message is small and its latency is what it costs."""


def choose(run: Run, comm: Any) -> tuple[str, str]:
    """The name of a transport and the reason. Collective: one reduction, so every rank chooses the same."""
    mpi = load_mpi()
    degree = run.out.neighbours.size
    most, links, records = np.array([degree]), np.array([degree]), np.array([len(run.out.records)])
    comm.Allreduce(mpi.IN_PLACE, most, op=mpi.MAX)
    both = np.concatenate((links, records)).astype(np.int64)
    comm.Allreduce(mpi.IN_PLACE, both, op=mpi.SUM)
    return pick(comm.size, int(most[0]), int(both[0]), int(both[1]))


def pick(n_ranks: int, most: int, links: int, records: int) -> tuple[str, str]:
    """The choice for a process graph: its largest degree, the sum of its degrees, and the records they may carry."""
    pairs = n_ranks * (n_ranks - 1)
    density = links / pairs if pairs else 0.0
    each = records / links if links else 0.0
    facts = f"{n_ranks} ranks, at most {most} neighbours, density {density:.2f}, {each:.0f} records for each neighbour"
    if most <= FEW:
        return "ncl", f"ncl: neighbourhoods are bounded ({facts})"
    if n_ranks >= CROWD and density > 0.5 and each < THIN:
        return "nsr", f"nsr: neighbourhoods are dense and messages small ({facts})"
    return "rma", f"rma: neighbourhoods are large ({facts})"
