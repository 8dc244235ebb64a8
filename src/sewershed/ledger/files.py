"""The files of a town, each kept under the hash of what is in it: attachments, imported files, papers.

A file is written whole beside its place and then moved into it, and it reaches the disk before the row that names it, so
that a row never names a file that is not there. A file that no row names does no harm.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from sewershed.ledger.clock import current_town
from sewershed.ledger.errors import NotFound, Refused

MOST_BYTES = 50 * 1024 * 1024
_BLOCK = 1024 * 1024
# What a file says of itself in its first bytes. Kinds without such a mark are told apart as text or refused.
_MARKS = {
    "application/pdf": (b"%PDF-",),
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/gif": (b"GIF87a", b"GIF89a"),
    "image/tiff": (b"II*\x00", b"MM\x00*"),
    "image/webp": (b"RIFF",),
    "image/heic": (b"\x00\x00\x00",),
    "video/mp4": (b"\x00\x00\x00",),
    "audio/mpeg": (b"ID3", b"\xff\xfb"),
    "application/zip": (b"PK\x03\x04",),
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": (b"PK\x03\x04",),
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": (b"PK\x03\x04",),
    "application/geopackage+sqlite3": (b"SQLite format 3\x00",),
}
_TEXTS = frozenset(
    {
        "text/plain",
        "text/csv",
        "text/tab-separated-values",
        "application/json",
        "application/geo+json",
        "application/xml",
    }
)


def sha256(content: bytes) -> str:
    """Returns the hash under which a content is kept."""
    return hashlib.sha256(content).hexdigest()


def path_of(digest: str, folder: Path | None = None) -> Path:
    """Returns where the file of a hash is kept, whether it is there or not."""
    return (folder or current_town().files) / digest[:2] / digest


def store(content: bytes) -> str:
    """Keeps a content and returns its hash; what is there already is left as it is."""
    digest = sha256(content)
    path = path_of(digest)
    if path.exists() and path.stat().st_size == len(content):
        return digest
    path.parent.mkdir(parents=True, exist_ok=True)
    put(path, content)
    return digest


def put(path: Path, content: bytes) -> None:
    """Writes a file whole: on the disk, under its name, or not at all."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    with beside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def read(digest: str) -> bytes:
    """Returns the content of a hash.

    Refuses: a file that is not there, or is no longer what its hash says.

    Raises:
        NotFound: in either case, naming the file.
    """
    path = path_of(digest)
    if not path.exists():
        raise NotFound(f"the file {digest[:12]}… is not in {path.parent}: look for it in a backup, and run the doctor")
    content = path.read_bytes()
    if sha256(content) != digest:
        raise NotFound(f"{path} is no longer what its hash says: it was changed. Take it from a backup.")
    return content


def all_kept(folder: Path) -> Iterator[Path]:
    """Yields every file kept under a hash, in order."""
    for path in sorted(folder.glob("??/*")):
        if len(path.name) == 64 and path.is_file():
            yield path


def hash_of_file(path: Path) -> str:
    """Returns the hash of a file, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_size(size_bytes: int, most_bytes: int = MOST_BYTES) -> None:
    """Looks whether a file may be kept for its size, so that one that is too large need not be read.

    Edge: exactly the most bytes are taken.

    Refuses: an empty file, and one that is too large.

    Raises:
        Refused: with the reason.
    """
    if not size_bytes:
        raise Refused("the file is empty: nothing was uploaded")
    if size_bytes > most_bytes:
        raise Refused(
            f"the file has {size_bytes:,} bytes, more than the {most_bytes:,} that are kept; make a smaller one"
        )


def check(content: bytes, mime: str, most_bytes: int = MOST_BYTES) -> None:
    """Looks whether a file may be kept.

    Edge: exactly the most bytes are taken.

    Refuses: an empty file, one that is too large, a kind that is not in the list, and one whose first bytes say that it
    is another kind than it claims.

    Raises:
        Refused: with the reason.
    """
    check_size(len(content), most_bytes)
    if mime in _TEXTS:
        if b"\x00" in content[:_BLOCK]:
            raise Refused(f"the file is said to be {mime} but is no text")
        return
    marks = _MARKS.get(mime)
    if marks is None:
        raise Refused(f"files of kind {mime!r} are not kept; the kinds are {', '.join(sorted([*_MARKS, *_TEXTS]))}")
    if not content.startswith(marks):
        raise Refused(f"the file is said to be {mime}, but its first bytes are those of another kind")
