"""What `sewershed serve` starts beside the web server: the worker of the town that SEWERSHED_TOWN names."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from sewershed.ledger import orphans
from sewershed.project.opening import open_town


def main() -> None:
    """Works for the town until told to stop, or until whoever started it has gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to `serve`, which tells its children
    orphans.end_with(os.getppid())
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sewershed.project.web")
    open_town(Path(os.environ["SEWERSHED_TOWN"]))
    from sewershed.desk.jobs.worker import Worker  # its models want the apps ready

    Worker().run()


if __name__ == "__main__":
    main()
