"""Links of programs that the cache keeps, so that each further start maps them.

    take_link(links, libraries)      what an earlier start has linked, None where that is not known
    keep_link(links, linker, cxx)    behind a link, before anything has run

A program that takes members of a C++ library is linked each time: these come from other entries of
the cache.  See engine/linker/kept_link.py for what a kept link is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection
from dataclasses import dataclass

from irsan.engine.cache import Cache
from irsan.engine.headed_bytes import join_head, read_head
from irsan.engine.linker.kept_link import KeptLink, record_of
from irsan.engine.linker.link_plan import LinkPlan
from irsan.engine.linker.linker import Linker
from irsan.engine.linker.symbol_table import Resolve
from irsan.engine.native_libraries.guest_libraries import LIBSTDCXX, GuestLibraries
from irsan.engine.program_image.program import ProgramImage
from irsan.engine.runtime_image.source_hash import (
    are_unchanged,
    linker_sources_hash,
    runtime_sources_hash,
)

_NAMESPACE = "link"


@dataclass(frozen=True, slots=True)
class KeptLinks:
    """Where the link of a program is kept, and what it is looked up with.

    words: what shapes the link beside the program and its plan.
    takes_native_cxx: whether a program that needs these names is linked with the system's C++
    library.
    """

    cache: Cache
    image: ProgramImage
    words: str
    resolve: Resolve
    takes_native_cxx: Callable[[Collection[str]], bool]

    def key(self) -> str:
        """Hash of all that shapes the link."""
        sources = runtime_sources_hash(), linker_sources_hash()
        words = (*sources, self.image.digest, self.words, *_plan_words(self.image.plan))
        return hashlib.sha256("\n".join(words).encode("utf-8", "surrogateescape")).hexdigest()


def take_link(links: KeptLinks, libraries: GuestLibraries) -> KeptLink | None:
    """The link that is kept, mapped; None when there is none, or it would be another one now.

    libraries: of the program, which are loaded.  OSError where none can be mapped (KeptLink.of).
    """
    found = links.cache.open_parts(_NAMESPACE, links.key()) if links.image.digest else None
    if found is None:
        return None
    stored, body = found
    try:
        text, at = read_head(stored)
        about = json.loads(text)
        if about["cxx"] and not links.takes_native_cxx(about["wanted"]):
            return None
        load_libraries(libraries, links.image.plan, has_cxx=about["cxx"])
        return KeptLink.of(bytes(stored[at:]), body, links.resolve, libraries.symbol)
    finally:
        body.close()


def keep_link(links: KeptLinks, linker: Linker, *, has_cxx: bool) -> None:
    """Keep a link of which nothing has run; has_cxx: with the system's C++ library."""
    record = record_of(linker) if links.image.digest else None
    if record is None or not are_unchanged():
        return
    wanted = linker.undefined_names if has_cxx else []
    head = join_head(json.dumps({"cxx": has_cxx, "wanted": wanted}).encode(), record.head)
    links.cache.put_parts(_NAMESPACE, links.key(), head, record.body)


def load_libraries(libraries: GuestLibraries, plan: LinkPlan, *, has_cxx: bool) -> None:
    """Load the native libraries of a program, that of C++ first of all: thread-locals of libraries
    behind it may be exchanged by module."""
    for library in (*([LIBSTDCXX] if has_cxx else []), *plan.libraries):
        libraries.load(library)


def _plan_words(plan: LinkPlan) -> list[str]:
    facts = (
        plan.groups, plan.starts, plan.libraries, plan.folders, plan.was_linked, plan.paths,
        plan.search, plan.beside, plan.checked_level,
    )  # fmt: skip
    names = [
        (one.exports is None, sorted(one.exports or ()), sorted(one.own), sorted(one.imports))
        for one in plan.names
    ]
    natives = [(one.name, one.group, hashlib.sha256(one.raw).hexdigest()) for one in plan.natives]
    return [repr(facts), repr(names), repr(natives)]
