"""Work spread over processes: each thing once, and what came of it in the order in which they were given.

A process that dies ends the whole in one sentence, and none outlives the one that started it.
"""

import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.resource_tracker import ensure_running
from typing import Any, TypeVar

from pbem.errors import PbemError

T = TypeVar("T")
R = TypeVar("R")

AT_HAND = 2
"""So many things a process has before it, lest it wait for the next."""


@contextmanager
def spread(jobs: int, ready: Callable[[], Callable[[T], R]], things: Iterable[T]) -> Iterator[Iterator[R]]:
    """What comes of all `things`, in their order, from so many processes.

    `ready` is called once in each of them and gives what is done with a thing. Both can be pickled.
    """
    context = get_context("spawn")
    hands: dict[Connection, BaseProcess] = {}
    try:
        with _uninterrupted():
            for _ in range(jobs):
                ours, theirs = context.Pipe()
                process: BaseProcess = context.Process(target=_work, args=(theirs, ready), daemon=True)
                process.start()
                theirs.close()  # so that the end of the process is the end of what comes from it
                hands[ours] = process
        yield _in_order(list(hands), things)
    finally:
        for connection, process in hands.items():
            process.terminate()
            process.join()
            connection.close()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Processes started in here leave Ctrl-C to this one; it gets what came meanwhile."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    ensure_running()  # which lets Ctrl-C through again when it is started with the first process
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _in_order(hands: list[Connection], things: Iterable[T]) -> Iterator[Any]:
    waiting = enumerate(things)
    done: dict[int, Any] = {}
    out = sum(_give(hand, waiting, AT_HAND) for hand in hands)
    following = 0
    while out:
        for hand in wait(hands):
            assert isinstance(hand, Connection)
            number, result = _taken(hand)
            done[number] = result
            out += _give(hand, waiting, 1) - 1
        while following in done:
            yield done.pop(following)
            following += 1


def _give(hand: Connection, waiting: Iterator[tuple[int, Any]], count: int) -> int:
    """Give a process the next things, if there are any; gives how many there were."""
    given = list(islice(waiting, count))
    try:
        for each in given:
            hand.send(each)
    except OSError:
        raise _lost() from None
    return len(given)


def _taken(hand: Connection) -> tuple[int, Any]:
    try:
        number, result, failure = hand.recv()
    except (EOFError, OSError):
        raise _lost() from None
    if failure is not None:
        raise failure
    return number, result


def _lost() -> PbemError:
    return PbemError(
        "One of the processes was ended from outside, or by what it had to do; see whether memory is short,"
        " or try with --jobs 1."
    )


def _work(hand: Connection, ready: Callable[[], Callable[[Any], Any]]) -> None:
    """What a process does: a thing at a time, until nobody gives it more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        try:
            do = ready()
            while True:
                number, thing = hand.recv()
                hand.send((number, do(thing), None))
        except (PbemError, OSError, MemoryError) as failure:
            if isinstance(failure, BrokenPipeError):
                raise
            hand.send((0, None, failure))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # who gave the work has gone
