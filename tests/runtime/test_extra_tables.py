"""Tables that choose their own place in layout.EXTRA: no two of them in one gibibyte."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from irsan.runtime import clock_records, java_records, layout, leak_records, lock_records
from irsan.runtime import provenance_records as provenance
from irsan.runtime import uninit_layout as uninit
from irsan.runtime.kernels.race import record_sharing

ROOT = Path(__file__).parents[2]
_PLACE = re.compile(r"^\w+(?:: Final)? = (?:np\.uint64\()?(?:layout\.)?EXTRA \+ (\d+) \* "
                    r"(?:layout\.)?GIB\b(?! \+ 4096)", re.MULTILINE)  # fmt: skip
EXTRA_BYTES = layout.TABLES + layout.TABLES_SIZE - layout.EXTRA


def places() -> dict[int, list[str]]:
    """Files by the gibibyte of EXTRA that they claim."""
    found: dict[int, list[str]] = defaultdict(list)
    for folder in ("runtime", "interceptors"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for gibibyte in _PLACE.findall(path.read_text()):
                found[int(gibibyte)].append(str(path.relative_to(ROOT)))
    return found


def test_no_two_tables_claim_one_place() -> None:
    claims = places()
    assert len(claims) > 25
    assert {n: files for n, files in claims.items() if len(files) > 1} == {}
    assert max(claims) * layout.GIB < EXTRA_BYTES


def test_big_tables_end_before_the_next() -> None:
    starts = sorted(layout.EXTRA + n * layout.GIB for n in places())
    variadic_bytes = provenance.MAX_VARIADIC * provenance.VARIADIC_ROW_BYTES
    assert provenance.VARIADIC + variadic_bytes <= provenance.PASSED
    ranges = [
        (lock_records.LOCKS, 4 * layout.GIB),
        (uninit.PASSED, uninit.PASSED_END - uninit.PASSED),
        (uninit.RECORDS, uninit.MAX_RECORDS * uninit.RECORD_BYTES),
        (uninit.INDEX, 4 << uninit.INDEX_BITS),
        (provenance.WORDS, provenance.PASSED + 16 * provenance.N_PASSED - provenance.WORDS),
        (provenance.FUNCTIONS, 8 << provenance.FUNCTION_BITS),
        (clock_records.LAMPORTS, 16 * layout.GIB),
        (leak_records.FRONTIER, 8 * layout.GIB),
        (java_records.OBJECTS, 8 * layout.GIB),
        (int(record_sharing.SHARING), int(record_sharing.U64_SHARING_SIZE)),
    ]
    for start, n_bytes in ranges:
        assert start in starts
        assert not [one for one in starts if start < one < start + n_bytes], hex(start)
