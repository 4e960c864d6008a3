"""Where the numbered locations of a trace are in the source: a file beside the trace.

    FILE.sites      number|file:line:column|function      one a line, rising numbers
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from irsan.errors import UsageError


class SiteName(NamedTuple):
    """A place in the source: `file:line:column`, and the function it is in."""

    place: str
    function: str


def sites_path(trace: Path) -> Path:
    """Where the places of a trace are kept."""
    return trace.with_name(f"{trace.name}.sites")


def write_sites(path: Path, names: Mapping[int, SiteName]) -> None:
    """Write the file.  Raises OSError."""
    lines = [f"{number}|{_plain(n.place)}|{_plain(n.function)}\n" for number, n in names.items()]
    path.write_text("".join(lines), encoding="utf-8", errors="surrogateescape")


def read_sites(path: Path) -> dict[str, SiteName]:
    """Places by location, as the trace writes it.  Raises UsageError for any other file."""
    try:
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
    names = {}
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split("|")
        if len(fields) != 3 or not fields[0].isdecimal():
            raise UsageError(f"{path}:{number}: not number|file:line:column|function")
        names[fields[0]] = SiteName(fields[1], fields[2])
    return names


def places_of(trace: Path, sites: Path | None) -> dict[str, SiteName]:
    """Places of a trace: from the file that is named, else from the one beside it, else none."""
    beside = sites_path(trace)
    if sites is None and not beside.is_file():
        return {}
    return read_sites(sites or beside)


def _plain(text: str) -> str:
    """Text that fits into a field."""
    return text.replace("|", "?").replace("\n", "?")
