"""Refuse what cannot fit in memory, before anything is allocated."""

import os

_SYSTEM = "/proc/meminfo"
_LIMIT = "/sys/fs/cgroup/memory.max"


def require_memory(n_bytes: int, what: str) -> None:
    """ValueError when so many bytes are not free. `what` says who needs them, as the start of a sentence."""
    free = free_memory()
    if n_bytes > free:
        needed = f"{what} needs about {n_bytes / 1e9:,.1f} GB"
        raise ValueError(f"{needed} but {free / 1e9:,.1f} GB are free; make it smaller")


def free_memory() -> int:
    """Bytes this process may still take: what the system has free, within the limit of its control group."""
    try:
        with open(_SYSTEM, encoding="ascii") as lines:
            free = next(1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        free = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    try:
        with open(_LIMIT, encoding="ascii") as limit:
            return min(free, int(limit.read()))
    except (OSError, ValueError):  # no control group, or no limit: "max"
        return free
