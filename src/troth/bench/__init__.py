"""Benchmarks that ship with the package: one timing loop (timing), and matching against its peers (matching)."""
