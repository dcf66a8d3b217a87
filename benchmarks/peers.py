"""The peers: other packages that do the like, in an environment of their own and never imported here.

    python -m benchmarks.peers

makes it in `.peers/`. What is timed is timed inside their own process, which answers line by line.
"""

import json
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PLACE = HERE.parent / ".peers"


def peers_python() -> Path | None:
    """The Python of the peers' environment; None if it has not been made."""
    found = PLACE / "bin" / "python"
    return found if found.exists() else None


class Worker:
    """A process that runs one measurement for each line it is given."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def ask(self) -> dict[str, Any]:
        """One run; what the worker tells of it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("run\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            sys.exit(f"A worker ended: {self._process.args}")
        told: dict[str, Any] = json.loads(answer)
        return told

    def seconds(self) -> float:
        """The time of one run, as the worker took it."""
        return float(self.ask()["seconds"])


@contextmanager
def working(python: Path, name: str, *words: str) -> Iterator[Worker]:
    """A worker of this name under a Python."""
    command = [str(python), str(HERE / "workers" / f"{name}.py"), *words]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Worker(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait()


def main() -> None:
    """Makes the environment, or brings it up to date."""
    venv.create(PLACE, with_pip=True)
    pip = [str(PLACE / "bin" / "python"), "-m", "pip", "install", "-q"]
    subprocess.run([*pip, "-r", str(HERE / "requirements-peers.txt")], check=True)
    print(f"The peers are in {PLACE.name}/; `python -m benchmarks` finds them there.")


if __name__ == "__main__":
    main()
