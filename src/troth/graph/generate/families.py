"""The families of graphs that `generate` makes: their names, numbers and options. Imports no kernel."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from troth.naming import unknown
from troth.progress import Reporter


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a family: a word out of `choices`, or a number from `low` to `high`."""

    default: Any
    choices: tuple[str, ...] = ()
    low: float = 0
    high: float = 0

    def read(self, name: str, text: str) -> Any:
        """The value that the text stands for; ValueError when it is none."""
        if self.choices:
            if text not in self.choices:
                raise unknown(f"value of option {name}:", text, self.choices)
            return text
        whole = isinstance(self.default, int)
        try:
            value = int(text) if whole else float(text)
        except ValueError:
            value = self.high + 1
        if not self.low <= value <= self.high:
            kind = "a whole number" if whole else "a number"
            raise ValueError(f"option {name} is {text!r}; it must be {kind} from {self.low} to {self.high}")
        return value


@dataclass(frozen=True, slots=True)
class Family:
    """What a user may ask of one family, and the module that makes it."""

    doc: str
    number: str
    low: int
    high: int
    example: str
    module: str
    options: Mapping[str, Option]


@dataclass(frozen=True, slots=True)
class Request:
    """One graph asked for: everything checked, every option filled in."""

    family: str
    number: int
    options: Mapping[str, Any]
    seed: int
    threads: int
    progress: Reporter | None = None

    def __str__(self) -> str:
        return f"{self.family}:{self.number}"


def word(*choices: str) -> Option:
    """An option that is one of these words; the first is the default."""
    return Option(choices[0], choices)


MAX_SEED = 2**63 - 1
SEED = Option(1, low=0, high=MAX_SEED)

_SIZED = {"dtype": word("float64", "float32"), "max_weight": Option(1000, low=1, high=2**31 - 1)}
_WEIGHTS = {"weights": word("uniform", "unit", "integer"), **_SIZED}
_RELABEL = {"relabel": word("yes", "no")}
_LOG2 = "log2 of the vertices"
_SIDE = "vertices along a side"


def _edge_factor(default: int) -> dict[str, Option]:
    return {"edge_factor": Option(default, low=1, high=2**20)}


def _share(default: float) -> Option:
    return Option(default, low=0.0, high=1.0)


FAMILIES: Mapping[str, Family] = {
    "rmat": Family(
        "R-MAT with the Graph500 parameters: a few hubs, many small vertices, no locality",
        _LOG2, 0, 40, "rmat:20", "rmat",
        {**_edge_factor(16), "a": _share(0.57), "b": _share(0.19), "c": _share(0.19), **_RELABEL, **_WEIGHTS},
    ),
    "urand": Family(
        "uniform random edges: all degrees alike, no locality",
        _LOG2, 0, 40, "urand:20", "urand", {**_edge_factor(16), **_WEIGHTS},
    ),
    "rgg": Family(
        "random points of the unit square, joined when near: a block of vertices touches two others",
        _LOG2, 0, 40, "rgg:20", "rgg",
        {
            "degree": Option(16.0, low=1.0, high=2.0**20),
            "weights": word("distance", "uniform", "unit", "integer"),
            **_SIZED,
        },
    ),
    "sbp": Family(
        "degree-corrected stochastic block model: overlapping communities, ids that do not show them",
        _LOG2, 0, 40, "sbp:20", "sbp",
        {**_edge_factor(24), "overlap": word("high", "low"), "sizes": word("low", "high"), **_RELABEL, **_WEIGHTS},
    ),
    "kmer": Family(
        "many closed chains and thin grids, degrees 2 to 4, like the protein k-mer graphs",
        _LOG2, 2, 40, "kmer:20", "kmer", _WEIGHTS,
    ),
    "grid2d": Family(
        "square grid", _SIDE, 1, 2**20, "grid2d:1024", "lattice", {"stencil": word("5", "9"), **_WEIGHTS}
    ),
    "grid3d": Family(
        "cubic grid, as of finite elements", _SIDE, 1, 2**13, "grid3d:96", "lattice",
        {"stencil": word("27", "7"), **_WEIGHTS},
    ),
    "path": Family("one path through all vertices", _LOG2, 0, 40, "path:20", "lattice", _WEIGHTS),
    "mycielskian": Family(
        "the Mycielski graph: no triangles, dense, a chromatic number equal to its index",
        "index", 1, 30, "mycielskian:16", "mycielskian", _WEIGHTS,
    ),
    "bipartite": Family(
        "rows and columns, joined at random or in layers that stretch augmenting paths",
        "log2 of the vertices of each side", 0, 39, "bipartite:20", "bipartite",
        {"kind": word("random", "layered"), **_edge_factor(8), **_WEIGHTS},
    ),
}  # fmt: skip
