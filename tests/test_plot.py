"""Pictures of matchings: every kind of graph, and the layout of small ones."""

import sys
from xml.etree import ElementTree

import numpy as np
import pytest

import troth
from troth import plot
from troth.plot import plot_matching

SEED = 20261119


def draw(graph, path):
    plot_matching(graph, troth.max_weight_matching(graph), path)
    return " ".join(ElementTree.parse(path).getroot().itertext()) if path.suffix == ".svg" else ""


@pytest.fixture(autouse=True)
def text_as_text():
    import matplotlib

    with matplotlib.rc_context({"svg.fonttype": "none"}):
        yield


@pytest.mark.parametrize(
    ("spec", "panels"),
    [
        ("rgg:7", ["Weights of the edges", "The graph and its matched edges"]),
        ("rmat:7:weights=integer,max_weight=5", ["Weights of the edges", "The graph and its matched edges"]),
        ("grid2d:9:weights=unit", ["Matched vertices by degree", "The graph and its matched edges"]),
        ("urand:11:edge_factor=2", ["Weights of the edges", "Matched vertices by degree"]),
        (
            "urand:11:edge_factor=2,weights=unit",
            ["Matched vertices by degree", "Matched entries of the adjacency matrix"],
        ),
        ("urand:3:edge_factor=1", ["The graph and its matched edges"]),
        ("urand:0", ["no edges", "The graph and its matched edges"]),
    ],
)
def test_panels(tmp_path, spec, panels):
    graph = troth.generate(spec, seed=SEED)
    text = draw(graph, tmp_path / "picture.svg")
    assert f"of {graph.n_edges:,} edges matched" in text
    assert all(panel in text for panel in panels)


def test_no_vertices(tmp_path):
    graph = troth.Graph(np.zeros(1, np.int64), np.zeros(0, np.int32))
    assert "0 of 0 edges matched" in draw(graph, tmp_path / "picture.svg")


def test_weights_of_many_sizes_and_signs(tmp_path):
    weights = np.geomspace(1e-6, 1e6, 50)
    path = np.arange(50), np.arange(1, 51), weights
    draw(troth.as_graph(path), tmp_path / "log.svg")
    draw(troth.as_graph((*path[:2], weights - 1)), tmp_path / "negative.svg")


@pytest.mark.parametrize("spec", ["rgg:8", "rmat:8", "urand:8:edge_factor=1", "grid2d:12", "path:2"])
def test_layout_keeps_vertices_apart_and_components_together(spec):
    graph = troth.generate(spec, seed=SEED)
    place = plot._layout(graph)
    assert np.isfinite(place).all()
    apart = np.linalg.norm(place[:, None] - place, axis=2) + 9 * np.eye(graph.n_vertices)
    assert apart.min() > 1e-3
    u, v, _ = graph.edges()
    assert np.linalg.norm(place[u] - place[v], axis=1).mean() < 0.7 * apart[apart < 9].mean()


def test_layout_is_repeatable():
    graph = troth.generate("rgg:8", seed=SEED)
    assert np.array_equal(plot._layout(graph), plot._layout(graph))


def test_another_suffix_is_an_error(tmp_path):
    graph = troth.generate("path:3")
    with pytest.raises(ValueError, match=r"\.png, \.pdf, \.svg"):
        draw(graph, tmp_path / "picture.gif")


def test_without_matplotlib_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"pip install 'troth\[plot\]'"):
        draw(troth.generate("path:3"), tmp_path / "picture.png")
    assert not list(tmp_path.iterdir())
