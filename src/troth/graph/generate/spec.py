"""Read specs of generated graphs: "family:number" or "family:number:option=value,option=value"."""

import os
from typing import Any

from troth.graph.generate.families import FAMILIES, MAX_SEED, SEED, Family, Option, Request
from troth.naming import unknown
from troth.progress import Reporter


def is_spec(text: str) -> bool:
    """Whether the text asks for a generated graph: it begins with a family's name, and no file has it as its name."""
    return text.split(":", 1)[0] in FAMILIES and not os.path.exists(text)


def parse(spec: str, *, seed: int = 1, threads: int = 1, progress: Reporter | None = None) -> Request:
    """What the spec asks for; ValueError naming what is wrong in it. A seed in the spec goes before the argument."""
    name, _, rest = spec.partition(":")
    number, _, words = rest.partition(":")
    if name not in FAMILIES:
        raise unknown("graph family", name, FAMILIES)
    family = FAMILIES[name]
    given = _options(name, family, words) if words else {}
    if not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
        raise ValueError(f"seed is {seed!r}; give a whole number from 0 to 2**63 - 1")
    options = {option: given.get(option, known.default) for option, known in family.options.items()}
    return Request(name, _number(name, family, number), options, given.get("seed", seed), threads, progress)


def _number(name: str, family: Family, text: str) -> int:
    meaning = f"its number is the {family.number}, a whole number from {family.low} to {family.high}"
    if not text:
        raise ValueError(f"{name} needs a number, as in {family.example}; {meaning}")
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and family.low <= int(text) <= family.high):
        raise ValueError(f"{name}:{text} cannot be made; {meaning}")
    return int(text)


def _options(name: str, family: Family, words: str) -> dict[str, Any]:
    known: dict[str, Option] = {**family.options, "seed": SEED}
    given: dict[str, Any] = {}
    for each in words.split(","):
        option, equals, value = each.partition("=")
        if option not in known:
            raise unknown(f"option of {name}", option, known)
        if not equals or not value:
            raise ValueError(f"option {option} of {name} has no value; write {option}={known[option].default}")
        if option in given:
            raise ValueError(f"option {option} of {name} is given twice; give it once")
        given[option] = known[option].read(option, value)
    return given
