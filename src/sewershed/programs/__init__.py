"""What each program knows: its vocabulary, its calculations, its papers. One folder a program, all of one shape."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path

from sewershed.rules.library import Program

_HERE = Path(__file__).parent


def programs() -> list[Program]:
    """Returns what every program hands to the rules: vocabulary, calculations, words of papers; in order of their names."""
    found = []
    for path in sorted(_HERE.glob("*/vocabulary.toml")):
        package = import_module(f"{__name__}.{path.parent.name}")
        functions, providers = getattr(package, "FUNCTIONS", ()), getattr(package, "PROVIDERS", ())
        forms = getattr(package, "FORMS", ())
        found.append(Program(path, tuple(functions), tuple(providers), tuple(forms)))
    return found


def own_vocabularies(folder: Path) -> list[Path]:
    """Returns the vocabularies that a town lays beside its rulebooks: `programs/NAME/vocabulary.toml`, at any depth."""
    return [path for path in sorted(folder.rglob("programs/*/vocabulary.toml")) if _HERE not in path.parents]


def papers() -> list[str]:
    """Returns the names of the documents that the programs make, in order."""
    return sorted(path.stem for path in _HERE.glob("*/papers/*.typ") if path.with_suffix(".py").exists())


@cache
def letters() -> frozenset[str]:
    """Returns the words of the vocabularies that are letters, in small ones: `orc`, `fog`."""
    return frozenset(tomllib.loads((_HERE / "letters.toml").read_text("utf-8"))["words"])
