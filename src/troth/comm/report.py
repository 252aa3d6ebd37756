"""Report: what carrying a program's messages took."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Report:
    """One rank's share of a run, or that of all ranks together where one process plays them all.

    Attributes:
        transport: its name.
        rounds: exchanges, for transports that have them.
        messages: batches handed to the carrier. Each holds one record or more.
        records: records sent.
        bytes: bytes of the records sent.
        seconds_compute: time inside the program.
        seconds_comm: time outside it: sending, receiving and waiting.
        why: the reason for the choice of the transport, where `auto` chose it.
    """

    transport: str
    rounds: int
    messages: int
    records: int
    bytes: int
    seconds_compute: float
    seconds_comm: float
    why: str = ""
