"""Tells whether the tests would notice: changes the rules and the calculations in one place at a time, and runs the tests.

    scripts/mutate.py [--seed N] [--count N] [--only rules/spans.py] [--again FILE]

What is drawn comes from the printed seed; a lesser count is the beginning of a larger. Everything happens in a copy: nothing
of the checkout is changed. First each file of tests runs once, to see which blocks of the code each test reaches; a mutant
then meets those tests that reach its block, the quick ones first, until one fails. A test that never ends counts as one that
fails. Which mutants there are is told in mutants.py.
"""

from __future__ import annotations

import argparse
import builtins
import contextlib
import importlib
import os
import pickle
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from scripts.mutants import EXPLAINED, HOUSE, SOURCE, Mutant, explained, marked, modules, mutants

TESTS = ("tests/rules", "tests/programs", "tests/rulebooks", "tests/house/test_calculations.py")
LEFT_OUT = (
    "tests/programs/spills/papers",
    "tests/rules/test_growth.py",
)  # papers; how much work it is, not what comes out
WARM = (
    "hypothesis",
    "decimal",
    "holidays",
    "zoneinfo",
    "pint",
    "celpy",
    "xml.dom.minidom",
)  # imported once, for all runs
SPARE_S = 5  # of processor time, over three times what the tests take
MEMORY = 4 * 2**30
INI = """[pytest]
pythonpath = .
addopts = --doctest-modules --import-mode=importlib -p no:cacheprovider
markers =
    browser
    postgres
    soak
filterwarnings = error
"""
Block = tuple[str, int]


@dataclass(slots=True)
class Map:
    """Which tests reach which blocks, and how long each takes, in seconds of the processor."""

    tests: dict[Block, set[str]] = field(default_factory=lambda: defaultdict(set))
    files: dict[Block, set[str]] = field(default_factory=lambda: defaultdict(set))  # reached before or between tests
    took: dict[str, float] = field(default_factory=dict)

    def of(self, mutant: Mutant) -> dict[str, float]:
        """Returns the tests that could kill a mutant; what is reached once may be kept, so all of such a file is taken."""
        blocks = (
            [b for b in self.took_blocks() if b[0] == mutant.module]
            if mutant.block == 0
            else [(mutant.module, mutant.block)]
        )
        if not blocks and mutant.block == 0:  # tables alone: whoever imports them may mind
            return dict(self.took)
        names = {name for block in blocks for name in self.tests[block]}
        per_file = Counter(name.split("::")[0] for name in names)
        whole = {file for block in blocks for file in self.files[block]} | {f for f, n in per_file.items() if n < 3}
        return {name: s for name, s in self.took.items() if name in names or name.split("::")[0] in whole}

    def took_blocks(self) -> set[Block]:
        """Returns every block that is reached at all."""
        return self.tests.keys() | self.files.keys()


class Watch:
    """Notes, as a plugin of pytest, what each test reaches and how long it takes."""

    def __init__(self) -> None:
        self.now: set[Block] = set()
        self.outside, self.reached, self.took = self.now, dict[str, set[Block]](), dict[str, float]()
        self.failed: set[str] = set()
        vars(builtins)["_reached"] = self.reach

    def reach(self, block: Block) -> None:
        """Notes a block; what is marked calls this."""
        self.now.add(block)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        """Runs a test, and takes its time."""
        self.now = self.reached[item.nodeid] = set()
        begun = time.process_time()
        try:
            return (yield)
        finally:
            self.took[item.nodeid], self.now = time.process_time() - begun, self.outside

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Notes what failed."""
        if report.failed:
            self.failed.add(report.nodeid)


class Choice:
    """Runs, as a plugin of pytest, only some tests, the quick ones first."""

    def __init__(self, chosen: dict[str, float]) -> None:
        self.chosen = chosen

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leaves the chosen ones, in order."""
        items[:] = sorted((one for one in items if one.nodeid in self.chosen), key=lambda one: self.chosen[one.nodeid])


def in_child(work: Callable[[], int], cpu_s: float, says: Path | str = os.devnull) -> int | None:
    """Returns the exit status of work done in a child, or None where it was stopped: it took too long, or died."""
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        status = 70
        try:
            os.setsid()
            said = os.open(says, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
            for standard in (0, 1, 2):
                os.dup2(said, standard)
            resource.setrlimit(resource.RLIMIT_CPU, (int(cpu_s) + 1, int(cpu_s) + 2))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            signal.alarm(int(cpu_s * 10) + 60)  # where it waits for what never comes
            status = work()
        except BaseException:  # noqa: BLE001 - nothing of a child may go on as its parent
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    _, ended = os.waitpid(pid, 0)
    return os.WEXITSTATUS(ended) if os.WIFEXITED(ended) else None


def run(arguments: list[str], plugin: object) -> int:
    """Runs tests in this process."""
    return int(pytest.main(["-q", *arguments], plugins=[plugin]))


def look(copy: Path) -> Map:
    """Returns which tests reach what: each file of tests run once, in a copy of its own whose blocks are marked."""
    for module in modules(copy):
        path = copy / SOURCE / module
        path.write_text(marked(module, path.read_bytes()))
    found, seen = Map(), copy / "seen"
    for file in test_files(copy):

        def work(file: str = file) -> int:
            os.chdir(copy)
            sys.path[:0] = [str(copy / "src")]
            watch = Watch()
            status = run([file], watch)
            seen.write_bytes(pickle.dumps((watch.outside, watch.reached, watch.took, watch.failed)))
            return status

        status = in_child(work, 600, copy / "said")
        if status not in (0, 1, 5):
            raise SystemExit((copy / "said").read_text()[-3000:] + f"\n{file} cannot be run")
        outside, reached, took, failed = pickle.loads(seen.read_bytes())  # noqa: S301 - written by our own child
        for name in failed:
            print(f"left out, since it fails before anything is changed: {name}")
            del reached[name], took[name]
        found.took |= took
        for block in outside:
            found.files[block].add(file)
        for name, blocks in reached.items():
            for block in blocks:
                found.tests[block].add(name)
    return found


def test_files(copy: Path) -> list[str]:
    """Returns the files of tests, and the modules whose docstrings have examples."""
    files = [
        path for one in TESTS for path in ([copy / one] if one.endswith(".py") else (copy / one).rglob("test_*.py"))
    ]
    files += [path for module in modules(copy) if b">>>" in (path := copy / SOURCE / module).read_bytes()]
    names = sorted(str(path.relative_to(copy)) for path in files)
    return [name for name in names if not name.startswith(LEFT_OUT)]


def try_one(copy: Path, mutant: Mutant, chosen: dict[str, float]) -> str:
    """Returns what became of a mutant: killed, timed out (killed too) or survived."""
    if not chosen:
        return "survived"
    path = copy / SOURCE / mutant.module
    source, stat = path.read_bytes(), path.stat()
    files = sorted({name.split("::")[0] for name in chosen})

    def work() -> int:
        os.chdir(copy)
        sys.path[:0] = [str(copy / "src")]
        sys.dont_write_bytecode = True
        return run(["-x", *files], Choice(chosen))

    path.write_bytes(mutant.made(source))
    try:
        status = in_child(work, 3 * sum(chosen.values()) + SPARE_S)
    finally:
        path.write_bytes(source)
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    return {None: "timed out", 0: "survived"}.get(status, "killed")


def copied(folder: Path) -> Path:
    """Returns a copy of what the tests need of this checkout, as it stands."""
    listed = ["git", "ls-files", "-coz", "--exclude-standard", "src", "tests", "docs"]
    names = subprocess.run(listed, cwd=HOUSE, capture_output=True, check=True).stdout
    for name in names.decode().split("\0"):
        if name and (HOUSE / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(HOUSE / name, folder / name)
    (folder / "pytest.ini").write_text(INI)
    return folder


def main() -> int:
    """Draws mutants, tries each, prints those that live and how many died."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))  # noqa: S311 - no secret
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--only", default="", help="only of modules whose path begins so: rules/spans.py, programs/")
    parser.add_argument("--again", type=Path, help="only those whose id is a line of this file")
    asked = parser.parse_args()
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # those of others take longer to load than most tests run
    for name in WARM:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = copied(Path(folder) / "changed")
        every = [one for one in mutants(copy) if one.module.startswith(asked.only)]
        reasons = explained(HOUSE)
        gone = sorted(reasons.keys() - {one.id for one in mutants(copy)})
        random.Random(asked.seed).shuffle(every)  # noqa: S311 - drawn by a seed
        drawn = every[: asked.count]
        if asked.again:
            wanted = set(asked.again.read_text().splitlines())
            drawn = [one for one in every if one.id in wanted]
        print(f"SEED={asked.seed}: {len(drawn)} of {len(every)} mutants", flush=True)
        map_of = look(copied(Path(folder) / "marked"))
        print(f"{len(map_of.took)} tests take {sum(map_of.took.values()):.0f} s of the processor", flush=True)
        if try_one(copy, Mutant("", "", "rules/__init__.py", 0, 0, 0, ""), map_of.took) != "survived":
            raise SystemExit("A test fails in the copy though nothing is changed: what dies there says nothing.")
        ends: dict[str, Counter[str]] = defaultdict(Counter)
        kinds: dict[str, Counter[str]] = defaultdict(Counter)
        for number, mutant in enumerate(drawn, 1):
            chosen = map_of.of(mutant)
            end = try_one(copy, mutant, chosen)
            for table in (ends[mutant.module], kinds[mutant.kind], ends["all"]):
                table[end] += 1
            if end == "survived":
                why = "  [explained]" if mutant.id in reasons else "" if chosen else "  [no test reaches it]"
                ends["all"]["explained"] += mutant.id in reasons
                print(f"{number}: {mutant.id}{why}", flush=True)
    return told(ends, kinds, gone)


def told(ends: dict[str, Counter[str]], kinds: dict[str, Counter[str]], gone: list[str]) -> int:
    """Prints the tables and returns the exit status: 1 under 85 of 100, or where an explanation explains nothing."""
    everything = ends.pop("all")
    print(f"\n{'':44} mutants  killed  by time  survived")
    for name, row in [*sorted(kinds.items()), *sorted(ends.items()), ("all", everything)]:
        numbers = row["killed"] + row["timed out"] + row["survived"], row["killed"], row["timed out"], row["survived"]
        print(f"{name:44} {numbers[0]:7} {numbers[1]:7} {numbers[2]:8} {numbers[3]:9}")
    killed = everything["killed"] + everything["timed out"]
    total = killed + everything["survived"]
    print(
        f"{killed} of {total} killed: {100 * killed / max(total, 1):.1f} %; of the others {everything['explained']} are explained"
    )
    for mutant in gone:
        print(f"{EXPLAINED}: there is no such mutant any more: {mutant}")
    return int(bool(gone) or killed * 100 < total * 85)


if __name__ == "__main__":
    raise SystemExit(main())
