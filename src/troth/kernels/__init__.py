"""Atomics, thread teams, scans and sorts: the only folder that knows LLVM or threads."""
