"""Where shadow of uninitialised bits lies: apart from origins, and from what it describes."""

from __future__ import annotations

from irsan.runtime.layout import uninit_layout as ul

PAGE_BYTES = 4096


def test_shadow_ends_before_origins_begin() -> None:
    assert ul.RESERVED_LO <= ul.SHADOW_BIAS
    assert ul.ANYWHERE + ul.SPARE_BYTES <= ul.ORIGIN_BIAS
    assert ul.ORIGIN_BIAS + ul.COVERED_BYTES <= ul.RESERVED_LO + ul.RESERVED_BYTES


def test_a_byte_and_its_shadow_seldom_have_one_hash() -> None:
    """The hash of AMD's way predictor, of bits 12 to 27; pages stay pages."""
    assert ul.SHADOW_BIAS % PAGE_BYTES == 0
    pages = range(0, 1 << 28, PAGE_BYTES)
    same = sum(way_hash(page) == way_hash(page + ul.SHADOW_BIAS) for page in pages)
    assert same < len(pages) // 50


def way_hash(addr: int) -> int:
    """Lipp and others, "Take A Way", ASIA CCS 2020, figure 3 (Zen)."""
    pairs = ((12, 27), (13, 26), (14, 25), (15, 20), (16, 21), (17, 22), (18, 23), (19, 24))
    bits = [(addr >> one ^ addr >> other) & 1 for one, other in pairs]
    return sum(bit << place for place, bit in enumerate(bits))
