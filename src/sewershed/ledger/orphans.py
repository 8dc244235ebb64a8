"""Lets no process outlive the one that started it: a server that is killed leaves nobody behind who works on."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)


def end_with(parent: int) -> None:
    """Has this process killed as soon as its parent has gone, however that went.

    Edge: where the parent has gone already, this process ends here. Elsewhere than on Linux nothing is done.

    Args:
        parent: the id of the process that started this one.
    """
    if sys.platform != "linux":
        return
    ctypes.CDLL(None, use_errno=True).prctl(_SET_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
