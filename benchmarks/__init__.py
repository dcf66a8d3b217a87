"""Measurements against a peer or a floor in the same run (docs/performance.md)."""

import sys
from importlib.util import find_spec

if missing := [name for name in ("pbem", "psycopg", "pytest") if find_spec(name) is None]:
    sys.exit(
        f"{', '.join(missing)}: not installed; the benchmarks need what `pip install -e '.[dev]'` brings."
    )
