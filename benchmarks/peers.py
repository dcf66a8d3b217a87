"""The peers: other packages that do the like, in an environment of their own and never imported here.

    python -m benchmarks.peers

makes it in `.peers/`. What is timed is timed inside their own process, which answers line by line.
"""

import json
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from benchmarks.harness import in_sentences

HERE = Path(__file__).parent
PLACE = HERE.parent / ".peers"

NAMES = ("diplomacy", "eventsourcing", "shapely")
_VERSIONS = f"""
import platform, {", ".join(NAMES)}
from importlib.metadata import version
told = ", ".join(f"{{name}} {{version(name)}}" for name in {NAMES})
print(f"{{told}}, under Python {{platform.python_version()}}")
"""


def peers_python() -> Path | None:
    """The Python of the peers' environment; None if it has not been made."""
    found = PLACE / "bin" / "python"
    return found if found.exists() else None


def versions(python: Path) -> str:
    """Which peers there are, in words; each has been imported, since what does not load measures nothing."""
    ran = subprocess.run([str(python), "-c", _VERSIONS], capture_output=True, text=True, check=False)
    if ran.returncode:
        why = (ran.stderr.strip().splitlines() or ["it says nothing"])[-1]
        sys.exit(f"The peers in {PLACE.name}/ do not load ({why}); `python -m benchmarks.peers` mends them.")
    return ran.stdout.strip().splitlines()[-1]


class Worker:
    """A process that runs one measurement for each line it is given."""

    def __init__(self, name: str, process: "subprocess.Popen[str]") -> None:
        self.name = name
        self._process = process

    def ask(self) -> dict[str, Any]:
        """One run; what the worker tells of it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        answer = ""
        with suppress(BrokenPipeError):  # it has ended, and said why
            self._process.stdin.write("run\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        if not answer:
            sys.exit(f"The worker {self.name} ended instead of measuring; what it said stands above.")
        told: dict[str, Any] = json.loads(answer)
        return told

    def seconds(self) -> float:
        """The time of one run, as the worker took it."""
        return float(self.ask()["seconds"])


@contextmanager
def working(python: Path, name: str, *words: str) -> Iterator[Worker]:
    """A worker of this name under a Python."""
    command = [str(python), str(HERE / "workers" / f"{name}.py"), *words]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C is for who asked, who ends the worker
    ) as process:
        try:
            yield Worker(name, process)
        except BaseException:
            process.kill()
            raise
        finally:
            assert process.stdin is not None
            with suppress(BrokenPipeError):
                process.stdin.close()
            process.wait()


def main() -> None:
    """Makes the environment, or brings it up to date."""
    try:
        venv.create(PLACE, with_pip=True)
    except (ValueError, subprocess.CalledProcessError) as error:
        sys.exit(
            f"No environment can be made in {PLACE.name}/ ({error}); take away what lies there, and see that"
            " Python has venv (Debian: python3-venv)."
        )
    python = PLACE / "bin" / "python"
    pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    if subprocess.run([*pip, "-r", str(HERE / "requirements-peers.txt")], check=False).returncode:
        sys.exit(f"The peers could not be installed in {PLACE.name}/; pip says above what stood in the way.")
    print(f"The peers are in {PLACE.name}/ ({versions(python)}); `python -m benchmarks` finds them there.")


if __name__ == "__main__":
    with in_sentences():
        main()
