"""A package that loads in the first process and in no other."""

import multiprocessing

from pbem.players import Player
from regatta.players import row

if multiprocessing.parent_process() is not None:
    raise ImportError("one is enough")

ALONE = Player("alone", "regatta", "rows where it is first", row)
