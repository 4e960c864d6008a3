"""Packed stack traces against their naive twin, and there and back again."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime import arena
from irsan.runtime.kernels.depot import depot_put
from irsan.runtime.kernels.heap import packed_traces
from irsan.runtime.layout import memory_map
from irsan.runtime.records.memory import guarded_records as gr
from irsan.runtime.views.guarded_view import unpack_trace as read_trace
from tests.oracles.guarded_pool import naive_pack

FRAMES_AT = memory_map.HEAP_LO
OUT_AT = memory_map.HEAP_LO + (1 << 16)
BACK_AT = memory_map.HEAP_LO + (2 << 16)
ANY_FRAME = st.integers(0, 2**32 - 1)
NEAR = st.integers(0x1000, 0x1200)
FRAMES = st.lists(st.one_of(NEAR, NEAR, ANY_FRAME, st.sampled_from([0, 2**31, 2**32 - 1])),
                  max_size=200)  # fmt: skip
ONE_GUEST = settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200
)


def write_frames(frames: list[int]) -> None:
    (ctypes.c_uint32 * len(frames)).from_address(FRAMES_AT)[:] = frames


def pack(frames: list[int], limit_bytes: int = gr.TRACE_BYTES) -> bytes:
    write_frames(frames)
    guard = ctypes.c_uint64.from_address(OUT_AT + limit_bytes)
    guard.value = 0x5A5A_5A5A_5A5A_5A5A
    n_bytes = int(packed_traces.pack_trace(FRAMES_AT, len(frames), OUT_AT, limit_bytes))
    assert guard.value == 0x5A5A_5A5A_5A5A_5A5A
    return ctypes.string_at(OUT_AT, n_bytes)


def unpack(packed: bytes, limit: int = 1 << 12) -> list[int]:
    ctypes.memmove(OUT_AT, packed, len(packed))
    n_frames = int(packed_traces.unpack_trace(OUT_AT, len(packed), BACK_AT, limit))
    return list((ctypes.c_uint32 * n_frames).from_address(BACK_AT))


@pytest.mark.usefixtures("guest")
@ONE_GUEST
@given(frames=FRAMES, limit=st.integers(0, 300))
def test_packing_is_that_of_the_naive_twin(frames: list[int], limit: int) -> None:
    assert pack(frames, limit) == naive_pack(frames, limit)


@pytest.mark.usefixtures("guest")
@ONE_GUEST
@given(frames=FRAMES, limit=st.integers(0, 300))
def test_what_was_packed_comes_back_from_its_innermost_frame_on(
    frames: list[int], limit: int
) -> None:
    packed = pack(frames, limit)
    back = unpack(packed)
    assert back == frames[: len(back)] == list(read_trace(packed))
    cost = len(naive_pack([*back, *frames[len(back) : len(back) + 1]], 1 << 12))
    assert len(back) == len(frames) or cost > limit


@pytest.mark.usefixtures("guest")
@ONE_GUEST
@given(packed=st.binary(max_size=40))
def test_any_bytes_are_read_alike_by_kernel_and_report(packed: bytes) -> None:
    assert unpack(packed) == list(read_trace(packed))


@pytest.mark.usefixtures("guest")
def test_a_deep_stack_of_neighbouring_places_fits_a_slot() -> None:
    frames = [0x2000 + (7 * i) % 60 for i in range(gr.MAX_TRACE_FRAMES)]
    packed = pack(frames)
    assert len(packed) <= gr.TRACE_BYTES
    assert unpack(packed) == frames


@pytest.mark.usefixtures("guest")
@pytest.mark.parametrize("packed", [b"\x80", b"\x02\x81", b"\xff" * 5, b"\x80" * 9 + b"\x00"])
def test_bytes_that_are_no_trace_give_no_frames(packed: bytes) -> None:
    assert unpack(packed) == [] == list(read_trace(packed))


def test_frames_of_a_stack_are_its_sites_innermost_first(guest: Any) -> None:
    stack = 0
    for site in range(1, gr.MAX_TRACE_FRAMES + 21):
        stack = int(depot_put(guest.ctx, stack, site))
    n_frames = int(packed_traces.stack_to_frames(stack, FRAMES_AT))
    assert n_frames == gr.MAX_TRACE_FRAMES
    found = list((ctypes.c_uint32 * n_frames).from_address(FRAMES_AT))
    assert found == list(range(gr.MAX_TRACE_FRAMES + 20, 20, -1))
    assert int(packed_traces.stack_to_frames(0, FRAMES_AT)) == 0
    arena.discard(FRAMES_AT, 1 << 18)
