"""What GitHub and GitLab take of a SARIF file, and how a file is brought to that size.

Source: GitHub's documentation "SARIF support for code scanning", read November 2026: 10 MB after
gzip; of a run 25,000 results; of a result 1,000 locations and 10,000 steps of thread flows (1,000
are kept); of a rule 20 tags.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from typing import Any, Final

from irsan.reports.formats.json_layout import laid_out

MAX_RESULTS: Final = 25_000
MAX_LOCATIONS: Final = 1_000
MAX_FLOW_LOCATIONS: Final = 1_000
MAX_TAGS: Final = 20
MAX_STACK_FRAMES: Final = 100
MAX_NOTIFICATIONS: Final = 100
MAX_COMPRESSED_BYTES: Final = 10_000_000
_MANY: Final = 500  # results that are still laid out for people
_QUICK: Final = 6  # level of gzip

#: what a reader misses least comes first
_DETAILS: Final = ("stacks", "codeFlows", "relatedLocations")


def fitted(log: dict[str, Any], say: Callable[[str], None]) -> str:
    """The log as JSON text that is small enough; `say` gets what had to go, and adds it."""
    text = _written(log)
    for name in _DETAILS:
        if _compressed_bytes(text) <= MAX_COMPRESSED_BYTES:
            return text
        for result in _results(log):
            result.pop(name, None)
        say(f"{name} of all results are left out: services take files of 10 MB after gzip")
        text = _written(log)
    while _compressed_bytes(text) > MAX_COMPRESSED_BYTES and _results(log):
        results = _results(log)
        n_kept = len(results) // 2
        say(f"{len(results) - n_kept} more results are left out: the file was too big")
        del results[n_kept:]
        text = _written(log)
    return text


def _results(log: dict[str, Any]) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = log["runs"][0]["results"]
    return results


def _written(log: dict[str, Any]) -> str:
    is_for_people = len(_results(log)) <= _MANY
    return (laid_out(log) if is_for_people else json.dumps(log)) + "\n"


def _compressed_bytes(text: str) -> int:
    return len(zlib.compress(text.encode("utf-8"), _QUICK))
