"""Free memory as the system and the control group tell it, and the refusal."""

import pytest

from troth import memory
from troth.memory import free_memory, require_memory

MEMINFO = "MemTotal:       1000 kB\nMemFree:         100 kB\nMemAvailable:    600 kB\n"


@pytest.fixture
def told(tmp_path, monkeypatch):
    """Sets what the two files say; None for a file that is not there."""

    def tell(system, limit):
        for name, text in (("_SYSTEM", system), ("_LIMIT", limit)):
            monkeypatch.setattr(memory, name, str(tmp_path / name))
            if text is not None:
                (tmp_path / name).write_text(text)

    return tell


@pytest.mark.parametrize(
    ("limit", "free"), [(None, 614_400), ("max\n", 614_400), ("9000000000\n", 614_400), ("5000\n", 5000)]
)
def test_free_memory(told, limit, free):
    told(MEMINFO, limit)
    assert free_memory() == free


@pytest.mark.parametrize("system", [None, "MemTotal:       1000 kB\n"])
def test_all_memory_where_the_system_does_not_tell(told, system):
    told(system, None)
    assert free_memory() > 100_000_000


def test_what_does_not_fit_is_refused(told):
    told(MEMINFO, None)
    require_memory(614_400, "a list")
    with pytest.raises(ValueError, match=r"^a list needs about 1,200\.0 GB but 0\.0 GB are free; make it smaller$"):
        require_memory(1_200_000_000_000, "a list")
