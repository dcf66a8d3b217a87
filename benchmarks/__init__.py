"""Measurements against a peer or a floor in the same run (docs/performance.md)."""
