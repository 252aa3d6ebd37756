"""Coarsen a mesh by heavy-edge matching, as multigrid and partitioning codes do.

Matched vertices become one vertex of the next graph; parallel edges add up. The matching is the same on any number of
threads, so the hierarchy is too.
"""

import numpy as np
import scipy.sparse as sp

import troth


def coarsen(graph: troth.Graph) -> troth.Graph:
    """The graph with every matched pair merged."""
    mate = troth.max_weight_matching(graph).mate
    vertices = np.arange(graph.n_vertices)
    leader = np.where(mate < 0, vertices, np.minimum(vertices, mate))
    _, aggregate = np.unique(leader, return_inverse=True)
    merge = sp.csr_array((np.ones(vertices.size), (vertices, aggregate)))
    coarse = merge.T @ graph.to_scipy() @ merge
    # The two directions of an edge were added up in different orders: equal but for rounding.
    return troth.as_graph(troth.symmetrize(troth.drop_loops(coarse), "max"))


graph = troth.generate("grid2d:64")
while graph.n_vertices > 100:
    print(f"{graph.n_vertices:6} vertices {graph.n_edges:7} edges")
    graph = coarsen(graph)
print(f"{graph.n_vertices:6} vertices {graph.n_edges:7} edges")
