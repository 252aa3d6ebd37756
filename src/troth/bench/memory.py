"""The high-water mark of this process's memory, from the Linux kernel."""


def resident(field: str = "VmRSS") -> int:
    """A field of /proc/self/status in bytes: VmRSS is now, VmHWM the peak since reset_peak."""
    try:
        with open("/proc/self/status", encoding="ascii") as lines:
            return next(1024 * int(line.split()[1]) for line in lines if line.startswith(f"{field}:"))
    except (OSError, StopIteration):
        raise OSError("the peak of memory is read from /proc/self/status, which only Linux has") from None


def reset_peak() -> int:
    """Let the peak begin anew from what is resident now, and return that."""
    with open("/proc/self/clear_refs", "w", encoding="ascii") as control:
        control.write("5")
    return resident()
