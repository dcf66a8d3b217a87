"""A mailbox of 2,000 messages taken in, against the standard library alone taking them apart.

    python -m benchmarks.mailbox [RUNS]

200 good mails among junk, automatic mail, duplicates and broken MIME, the same in every run; the memory
of 500 and of 2,000 such messages; and how long the worst of the messages that mean harm takes.
"""

import email
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from tests.commands import pbem
from tests.mail.corpus_game import NOW, make_game
from tests.mail.junk import mailbox
from tests.mail.test_hostile import BOMBS

COUNT, GOOD = 2000, 200
AT_MOST = 20
_RECEIVE = (
    # Not ru_maxrss, which a child inherits from a large parent.
    "import sys; from pbem.cli import run; run(sys.argv[1:]);"
    "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0], file=sys.stderr)"
)


def alone(messages: list[bytes]) -> float:
    """Seconds of `email.message_from_bytes` over the messages."""
    began = perf_counter()
    for data in messages:
        email.message_from_bytes(data)
    return perf_counter() - began


def received(box: Path) -> tuple[float, int]:
    """Seconds and peak memory, in KiB, of taking a mailbox into a new game by a whole process."""
    with tempfile.TemporaryDirectory() as folder:
        game = make_game(Path(folder))
        began = perf_counter()
        ran = subprocess.run(
            [sys.executable, "-c", _RECEIVE, "-C", str(game), "receive", str(box)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        seconds = perf_counter() - began
    if ran.returncode:
        sys.exit(ran.stderr)
    return seconds, int(ran.stderr.split()[-1])


def bomb(name: str) -> float:
    """Seconds of the processor for a message that means harm."""
    with tempfile.TemporaryDirectory() as folder:
        game, path = make_game(Path(folder)), Path(folder) / "bomb.eml"
        path.write_bytes(BOMBS[name])
        began = process_time()
        told = pbem("-C", game, "receive", path)
        seconds = process_time() - began
    if told.status:
        sys.exit(told.err)
    return seconds


def main() -> None:
    """Measure interleaved, and print the medians."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    os.environ["PBEM_NOW"] = NOW
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder) / "small", Path(folder) / "large"
        mailbox(small, COUNT // 4, GOOD // 4)
        messages = mailbox(large, COUNT, GOOD)
        ratios, memory_of_small, memory = [], [], []
        for _ in range(runs):
            floor = alone(messages)
            seconds, kib = received(large)
            ratios.append(seconds / min(floor, alone(messages)))
            memory.append(kib)
            memory_of_small.append(received(small)[1])
    size = sum(map(len, messages)) // 1024
    print(f"{COUNT} messages ({size:,} KiB): {median(ratios):.1f} times message_from_bytes alone", end="")
    print(f" (at most {AT_MOST}); {' '.join(f'{ratio:.1f}' for ratio in ratios)}")
    slowest = sorted(((bomb(name), name) for name in BOMBS), reverse=True)
    print(f"memory: {median(memory):,} KiB; for {COUNT // 4} messages {median(memory_of_small):,} KiB")
    worst = ", ".join(f"{name} {seconds:.1f} s" for seconds, name in slowest[:3])
    print(f"{len(slowest)} messages that mean harm, the slowest: {worst}")


if __name__ == "__main__":
    main()
