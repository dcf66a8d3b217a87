"""How heavy the heavy tests are: `PBEM_SCALE` in per cent of their full counts (CONTRIBUTING.md)."""

import os

SCALE = int(os.environ.get("PBEM_SCALE", "10"))


def scaled(full: int) -> int:
    """The count to run now of what runs `full` times at scale 100; never none."""
    return max(1, full * SCALE // 100)
