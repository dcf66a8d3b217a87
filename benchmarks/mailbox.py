"""A mailbox of 2,000 messages taken in, against the standard library alone taking them apart.

    python -m benchmarks.mailbox [RUNS]

200 good mails among junk, automatic mail, duplicates and broken MIME, the same in every run; the memory
of 500 and of 2,000 such messages; and how long the worst of the messages that mean harm takes.
"""

import argparse
import email
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import perf_counter, process_time

from benchmarks.harness import in_sentences, positive
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


def alone(messages: list[bytes]) -> tuple[float, float]:
    """Seconds, and seconds of the processor, of `email.message_from_bytes` over the messages."""
    began, worked = perf_counter(), process_time()
    for data in messages:
        email.message_from_bytes(data)
    return perf_counter() - began, process_time() - worked


def received(box: Path) -> tuple[float, float, int]:
    """Seconds, those of the processor, and peak memory in KiB of a process that takes a mailbox in."""
    with tempfile.TemporaryDirectory() as folder:
        game = make_game(Path(folder))
        before, began = getrusage(RUSAGE_CHILDREN), perf_counter()
        ran = subprocess.run(
            [sys.executable, "-c", _RECEIVE, "-C", str(game), "receive", str(box)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        seconds, after = perf_counter() - began, getrusage(RUSAGE_CHILDREN)
    if ran.returncode:
        sys.exit(ran.stderr)
    worked = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, worked, int(ran.stderr.split()[-1])


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
    options = argparse.ArgumentParser(prog="python -m benchmarks.mailbox")
    options.add_argument("runs", type=positive, nargs="?", default=3, help="3 if left out; the median counts")
    runs = options.parse_args().runs
    os.environ["PBEM_NOW"] = NOW
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder) / "small", Path(folder) / "large"
        mailbox(small, COUNT // 4, GOOD // 4)
        messages = mailbox(large, COUNT, GOOD)
        ratios, of_work, memory_of_small, memory = [], [], [], []
        for _ in range(runs):
            floor, floor_work = alone(messages)
            seconds, worked, kib = received(large)
            again, again_work = alone(messages)
            ratios.append(2 * seconds / (floor + again))
            of_work.append(2 * worked / (floor_work + again_work))
            memory.append(kib)
            memory_of_small.append(received(small)[2])
    size = sum(map(len, messages)) // 1024
    print(f"{COUNT} messages ({size:,} KiB): {median(ratios):.1f} times message_from_bytes alone", end="")
    print(f" (at most {AT_MOST}); {' '.join(f'{ratio:.1f}' for ratio in ratios)}")
    print(f"of the processor's time: {median(of_work):.1f}; {' '.join(f'{ratio:.1f}' for ratio in of_work)}")
    slowest = sorted(((bomb(name), name) for name in BOMBS), reverse=True)
    print(f"memory: {median(memory):,} KiB; for {COUNT // 4} messages {median(memory_of_small):,} KiB")
    worst = ", ".join(f"{name} {seconds:.1f} s" for seconds, name in slowest[:3])
    print(f"{len(slowest)} messages that mean harm, the slowest: {worst}")


if __name__ == "__main__":
    with in_sentences():
        main()
