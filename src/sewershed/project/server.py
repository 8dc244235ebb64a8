"""What `sewershed serve` starts as web server: granian, with the words given, until whoever started it has gone."""

from __future__ import annotations

import os
import runpy

from sewershed.ledger import orphans

if __name__ == "__main__":
    orphans.end_with(os.getppid())
    runpy.run_module("granian", run_name="__main__", alter_sys=True)
