"""A writing process for the trials: `python -m tests.ledger.writer FOLDER NAME COUNT` records COUNT complaints, one by one.

Before each entry it prints what it is about to write, and after each what was written, so that whoever kills it knows what must
be there.
"""

from __future__ import annotations

import sys
from pathlib import Path

from sewershed.project.opening import open_town


def main(folder: str, name: str, count: int) -> None:
    open_town(Path(folder))
    from sewershed.ledger import actions, rights

    admin = rights.owner()
    thing = actions.set_facts(name, {"address": f"the yard of {name}"}, as_account=admin, type="yard").thing
    for number in range(count):
        with actions.together():  # an action of two rows: both or none
            done = actions.record(
                "complaint", thing, as_account=admin, at="2024-03-08T15:40", data={"what": f"{name} {number}"}
            )
            actions.record(
                "yard_inspected", thing, as_account=admin, at="2024-03-08T16:00", data={"passed": number % 2 == 0}
            )
        sys.stdout.write(f"{done.id} {done.number}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
