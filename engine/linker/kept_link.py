"""A link that was made before: its memory is mapped from a file, and nothing is linked again.

    record = record_of(linker)           behind a link, before anything has run
    KeptLink.of(head, body, resolve, native)

The same objects lie at the same addresses whenever they are linked beside the same runtime.  What
differs from process to process are addresses in native libraries: each word that holds one is set
anew, and copies of native objects are made anew.  So the names are looked up again; where one is
found that was not there, or is not found, or one of the runtime lies elsewhere, the link is not the
same and is made.

    head    JSON: names, segments, what reports and threads need
    body    the pages of the segments, without zero pages at their ends, then arrays of int64:
            places and owners of Outside, addresses of symbols, and their names

Soundness: a record is kept by what shaped the link (its caller's key).  One that depends on more
than addresses is not kept (Linker.outside).
"""

from __future__ import annotations

import ctypes
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from irsan.engine.headed_bytes import Buffer
from irsan.engine.linker import unwind
from irsan.engine.linker.demands import is_data_at, is_foreign
from irsan.engine.linker.elf import Array, ObjectFile
from irsan.engine.linker.linked import READ_WRITE, Linked, Places, SymbolRow
from irsan.engine.linker.linker import Linker
from irsan.engine.linker.native_symbols import native_symbol_at
from irsan.engine.linker.plt import StubTable
from irsan.engine.linker.sections import PAGE_BYTES, Redzone, Segment, TlsLayout
from irsan.engine.linker.symbol_table import Resolve
from irsan.errors import InternalError
from irsan.file_mapping import map_at, view_file
from irsan.runtime import arena
from irsan.sealed import Kept

_ARRAYS: Final = ("places", "owners", "addresses", "starts", "sizes")
_SEPARATOR: Final = "\0"


@dataclass(frozen=True, slots=True)
class Record:
    """What is kept of a link."""

    head: bytes
    body: list[Buffer]


def record_of(linker: Linker) -> Record | None:
    """What to keep of a link of which nothing has run; None where it cannot be kept."""
    outside = linker.outside
    if outside is None or linker.archive_names:
        return None
    functions = {*linker.initializers(), *linker.finalizers()}
    natives = [address for address in outside.natives.values() if address is not None]
    if _foreign(functions).any() or not _foreign(natives).all():
        return None
    rows = linker.placed_symbols()
    arrays = {
        "places": outside.places,
        "owners": outside.owners,
        "addresses": linker.flat_addresses,
        "starts": np.array([addr for _, addr, _ in rows], np.int64),
        "sizes": np.array([size for *_, size in rows], np.int64),
    }
    pages = [_filled(segment) for segment in linker.own_segments]
    places = linker.places
    head = {
        "segments": [
            (one.name, one.lo, one.hi, one.prot, len(raw))
            for one, raw in zip(places.segments, pages, strict=True)
        ],
        "redzones": places.redzones,
        "bounds": places.bounds,
        "stubs": [places.stubs.names, places.stubs.stubs_lo, places.stubs.slots_lo],
        "tls": [places.tls.size, places.tls.align, places.tls.image.hex()],
        "eh_frame": places.eh_frame,
        "threads": [places.thread_room_lo, places.thread_end],
        "undefined": linker.undefined_names,
        "defined": linker.defined_names,
        "symbols": dict(linker.symbols),
        "initializers": linker.initializers(),
        "finalizers": linker.finalizers(),
        "bases": linker.symbol_bases,
        "asked": outside.asked,
        "natives": outside.natives,
        "copies": outside.copies,
        "direct": outside.direct,
        "arrays": [len(arrays[name]) for name in _ARRAYS],
    }
    names = _SEPARATOR.join(name for name, *_ in rows).encode("utf-8", "surrogateescape")
    tables = [arrays[name].astype("<i8").tobytes() for name in _ARRAYS]
    return Record(json.dumps(head).encode(), [*pages, *tables, names])


def _foreign(addresses: Iterable[int]) -> Array:
    return is_foreign(np.array(list(addresses), np.int64))


def _filled(segment: Segment) -> bytes:
    """The pages of a segment up to the last one that is not zero."""
    memory = arena.view_bytes(segment.lo, segment.hi - segment.lo).reshape(-1, PAGE_BYTES)
    filled = np.flatnonzero(memory.any(axis=1))
    return memory[: int(filled[-1]) + 1].tobytes() if len(filled) else b""


class KeptLink(Linked):
    """Linked objects that an earlier process has linked."""

    def __init__(self, head: Mapping[str, Any], tail: memoryview) -> None:
        """tail: the body behind the pages."""
        super().__init__()
        self._head, self._tail = head, tail
        self._places = _places_of(head)
        self._frames = unwind.Frames.register(*self._places.eh_frame)

    @classmethod
    def of(cls, raw: bytes, body: Kept, resolve: Resolve, native: Resolve) -> KeptLink | None:
        """Map what was kept; None when the link has to be made, as it would be another one now.

        resolve, native: as for the link.  The body stays open.  OSError where a file cannot be
        mapped so, as on a file system whose files may not be executed.  Memory is as before then.
        """
        head = json.loads(raw)
        if any(resolve(name) != address for name, address in head["asked"].items()):
            return None
        natives = [native(name) for name in head["natives"]]
        if not _are_alike(head, natives):
            return None
        content = view_file(body.descriptor, body.size_bytes)
        tail = content[sum(n_bytes for *_, n_bytes in head["segments"]) :]
        try:
            _map_pages(head["segments"], body.descriptor)
            _set_words(head, tail, natives)
            _copy(head["copies"], natives)
            for _, lo, hi, protection, _ in head["segments"]:
                arena.protect(lo, hi - lo, protection)
        except OSError:
            for _, lo, hi, *_ in head["segments"]:
                arena.discard(lo, hi - lo)
            raise
        return cls(head, tail)

    @property
    def places(self) -> Places:
        """Where things are."""
        return self._places

    @property
    def undefined_names(self) -> list[str]:
        """Names that the objects use and do not define."""
        return list(self._head["undefined"])

    @property
    def defined_names(self) -> list[str]:
        """Names that the objects define."""
        return list(self._head["defined"])

    @property
    def archive_names(self) -> set[str]:
        """None: a link with members of archives is not kept."""
        return set()

    @property
    def symbols(self) -> Mapping[str, int]:
        """Name -> address of every global that the linked objects define."""
        found: dict[str, int] = self._head["symbols"]
        return found

    def initializers(self) -> list[int]:
        """Addresses of constructors in the order to run them."""
        return list(self._head["initializers"])

    def finalizers(self) -> list[int]:
        """Addresses of destructors in the order to run them."""
        return list(self._head["finalizers"])

    @property
    def symbol_bases(self) -> list[int]:
        """Where the symbols of each object begin in `flat_addresses`; then their number."""
        found: list[int] = self._head["bases"]
        return found

    @property
    def flat_addresses(self) -> Array:
        """int64: addresses of the symbols of all objects, in the order in which they were added."""
        return _array(self._head, self._tail, "addresses")

    def numbered(self, items: Sequence[ObjectFile]) -> list[tuple[int, Buffer]]:
        """None: objects with numbers are members of archives."""
        if items:
            raise InternalError("a kept link has no members of archives")
        return []

    def _symbol_rows(self) -> list[SymbolRow]:
        starts, sizes = (_array(self._head, self._tail, name) for name in ("starts", "sizes"))
        names = bytes(self._tail[8 * sum(self._head["arrays"]) :])
        texts = names.decode("utf-8", "surrogateescape").split(_SEPARATOR) if len(starts) else []
        return list(zip(starts.tolist(), sizes.tolist(), texts, strict=True))


def _places_of(head: Mapping[str, Any]) -> Places:
    size, align, image = head["tls"]
    lo, hi = head["eh_frame"]
    return Places(
        [Segment(*row) for *row, _ in head["segments"]],
        [Redzone(*row) for row in head["redzones"]],
        {name: (start, end) for name, (start, end) in head["bounds"].items()},
        StubTable(*head["stubs"]), TlsLayout(size, align, bytes.fromhex(image)), (lo, hi),
        *head["threads"],
    )  # fmt: skip


def _are_alike(head: Mapping[str, Any], now: Sequence[int | None]) -> bool:
    """Whether the same names are there, of the same kinds, out of reach of 32 bits."""
    before = head["natives"].values()
    if any((old is None) != (new is None) for old, new in zip(before, now, strict=True)):
        return False
    found = [new for new in now if new is not None]
    if not _foreign(found).all() or any(is_data_at(now[one] or 0) for one in head["direct"]):
        return False
    sizes = [(native_symbol_at(now[one] or 0), size) for _, one, size in head["copies"]]
    return all(one is not None and one.size_bytes == size for one, size in sizes)


def _map_pages(segments: Sequence[tuple[str, int, int, int, int]], descriptor: int) -> None:
    offset = 0
    for _, lo, hi, _, n_bytes in segments:
        if n_bytes:
            map_at(lo, n_bytes, READ_WRITE, descriptor, offset)
        arena.protect(lo, hi - lo, READ_WRITE)
        offset += n_bytes


def _set_words(head: Mapping[str, Any], tail: memoryview, now: Sequence[int | None]) -> None:
    """Move each word that holds a native address by what that address has moved."""
    before = np.array([address or 0 for address in head["natives"].values()], np.int64)
    moved = np.array([address or 0 for address in now], np.int64) - before
    owners = _array(head, tail, "owners")
    by_word = moved[owners]
    changed = np.flatnonzero(by_word)
    places = _array(head, tail, "places")[changed]
    for lo, hi in ((lo, hi) for _, lo, hi, *_ in head["segments"]):
        inside = (lo <= places) & (places < hi)
        words, steps = places[inside], by_word[changed][inside]
        memory = arena.view_bytes(lo, hi - lo)
        index = (words - lo)[:, None] + np.arange(8)
        values = memory[index].reshape(-1).view("<i8") + steps
        memory[index] = values.astype("<i8").view(np.uint8).reshape(-1, 8)


def _copy(copies: Sequence[tuple[int, int, int]], now: Sequence[int | None]) -> None:
    for at, one, size in copies:
        found = native_symbol_at(now[one] or 0)
        if found is not None:
            ctypes.memmove(at, found.address, size)


def _array(head: Mapping[str, Any], tail: memoryview, name: str) -> Array:
    at = _ARRAYS.index(name)
    counts = head["arrays"]
    return np.frombuffer(tail, "<i8", counts[at], 8 * sum(counts[:at]))
