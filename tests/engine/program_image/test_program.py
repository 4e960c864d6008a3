"""Images of programs in the cache: what goes in comes out, and which of them open libraries."""

from __future__ import annotations

import pickle
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from irsan.engine.linker.link_plan import LinkPlan
from irsan.engine.program_image.program import ProgramImage, calls_dlopen, decoded, encoded
from irsan.instrument.sites.sites import StoredSites

SITES = st.builds(StoredSites, st.integers(1, 9), st.integers(0, 9), st.binary(max_size=9))
IMAGES = st.builds(
    ProgramImage,
    objects=st.lists(st.binary(max_size=9), max_size=3).map(tuple),
    sites=st.lists(SITES, max_size=3).map(tuple), globals=st.binary(max_size=5),
    key=st.text(max_size=5), is_cxx=st.booleans(), opens=st.booleans(), odr=st.text(max_size=5),
)  # fmt: skip


@given(IMAGES)
def test_an_image_is_read_as_it_was_written(image: ProgramImage) -> None:
    head, parts = encoded(image)
    assert decoded(head, memoryview(b"".join(parts))) == image
    sent = replace(image, plan=LinkPlan(libraries=("libz.so.1",)))
    assert pickle.loads(pickle.dumps(sent)) == replace(sent, is_cached=True)


def test_a_name_that_holds_dlopen_is_another() -> None:
    assert calls_dlopen([b"code", memoryview(b"\0main\0dlopen\0")])
    assert not calls_dlopen([b"\0my_dlopen\0dlopener\0"])
