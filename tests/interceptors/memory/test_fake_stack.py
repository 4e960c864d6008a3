"""Fake stacks: frames are distinct, rest after their return, and are taken back after unwinding."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.interceptors.memory import fake_stack
from irsan.interceptors.threads import ucontext
from irsan.runtime.layout import memory_map, options
from irsan.runtime.views import context_stacks, fake_frames
from irsan.runtime.views.fake_frames import live_fake_frames
from tests.conftest import fresh_guest
from tests.support.green import Body, GreenGuest

AFTER_RETURN = 0xF5


@pytest.fixture
def green(guest: Any) -> Iterator[GreenGuest]:
    found = started(guest.ctx)
    yield found
    found.close()


def started(ctx: Any) -> GreenGuest:
    green = GreenGuest(ctx)
    options.set_default_options(ctx)
    ctx["sanitize_address"] = 1
    green.start(idle())
    return green


def idle() -> Body:
    yield None
    return 0


def record(green: GreenGuest) -> Any:
    (thread,) = green.threads.values()
    return thread.record


def take(green: GreenGuest, size_class: int, real_sp: int) -> int:
    frame = int(fake_stack.fake_frame(green.ctx, 64 << size_class, size_class))
    if frame:
        ctypes.c_uint64.from_address(frame + fake_frames.REAL_SP).value = real_sp
    return frame


def shadow_of(frame: int) -> int:
    return ctypes.c_uint8.from_address(
        memory_map.ASAN_SHADOW + ((frame - memory_map.ARENA_LO) >> 3)
    ).value


def test_a_frame_lives_until_its_function_returns(green: GreenGuest) -> None:
    sp = int(record(green)["stack"]["hi"]) - 256
    record(green)["sp"] = sp
    frame = take(green, 2, sp + 64)
    assert list(live_fake_frames(record(green))) == [(frame, frame + 256)]
    fake_stack.release_fake_frame(green.ctx, frame, 256, 2)
    assert list(live_fake_frames(record(green))) == []
    assert shadow_of(frame) == AFTER_RETURN
    assert take(green, 2, sp + 64) != frame


def test_frames_below_the_catching_function_are_taken_back(green: GreenGuest) -> None:
    sp = int(record(green)["stack"]["hi"]) - 4096
    outer, inner = take(green, 0, sp + 64), take(green, 0, sp - 64)
    fake_stack.unwound_to(green.ctx, sp)
    record(green)["sp"] = sp - 512
    assert list(live_fake_frames(record(green))) == [(outer, outer + 64)]
    assert (shadow_of(outer), shadow_of(inner)) == (0, AFTER_RETURN)


def test_a_coroutine_keeps_its_frames(green: GreenGuest) -> None:
    elsewhere = memory_map.HEAP_LO + (1 << 24)
    frame = take(green, 1, elsewhere)
    fake_stack.unwound_to(green.ctx, int(record(green)["stack"]["hi"]) - 64)
    fake_stack.unwound_to(green.ctx, elsewhere + 4096)
    assert list(live_fake_frames(record(green))) == [(frame, frame + 128)]


def test_no_frame_is_taken_when_the_flag_is_off(green: GreenGuest) -> None:
    green.ctx["options"][options.DETECT_STACK_USE_AFTER_RETURN] = 0
    assert int(fake_stack.fake_frame(green.ctx, 64, 0)) == 0


def test_the_largest_class_has_one_frame(green: GreenGuest) -> None:
    last = fake_frames.N_CLASSES - 1
    assert take(green, last, 1) and not take(green, last, 1)


def test_unwinding_clears_from_the_throwing_function_to_the_catching_one(green: GreenGuest) -> None:
    hi = int(record(green)["stack"]["hi"]) & ~4095
    poisoned = [hi - 4096, hi - 2048, hi - 1024]
    for addr in poisoned:
        fake_stack.set_bytes(memory_map.ASAN_SHADOW + ((addr - memory_map.ARENA_LO) >> 3), 1, 0xF1)
    fake_stack.throwing(green.ctx, hi - 2048)
    fake_stack.unwound_to(green.ctx, hi - 1024)
    assert [shadow_of(addr) for addr in poisoned] == [0xF1, 0, 0xF1]
    fake_stack.unwound_to(green.ctx, hi - 1024)
    assert [shadow_of(addr) for addr in poisoned] == [0, 0, 0xF1]


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("take"), st.integers(0, 14), st.integers(1, 500)),
        st.tuples(st.just("release"), st.integers(0, 50), st.just(0)),
        st.tuples(st.just("unwind"), st.integers(1, 500), st.just(0)),
    ),
    max_size=60,
)


@settings(max_examples=60, deadline=None)
@given(STEPS)
def test_live_frames_are_those_of_a_list(steps: list[tuple[str, int, int]]) -> None:
    """The naive twin: a list of (frame, class, real stack pointer)."""
    green = started(fresh_guest().ctx)
    hi = int(record(green)["stack"]["hi"]) & ~15
    record(green)["sp"] = hi - 8192
    model: list[tuple[int, int, int]] = []
    for word, first, depth in steps:
        if word == "take":
            frame = take(green, first, hi - 16 * depth)
            n_taken = sum(1 for one in model if one[1] == first)
            assert (frame == 0) == (n_taken == fake_frames.CLASS_BYTES >> (6 + first))
            if frame:
                assert all(frame != one[0] for one in model)
                model.append((frame, first, hi - 16 * depth))
        elif word == "release" and model:
            frame, size_class, _ = model.pop(first % len(model))
            fake_stack.release_fake_frame(green.ctx, frame, 0, size_class)
        elif word == "unwind":
            fake_stack.unwound_to(green.ctx, hi - 16 * first)
            model = [one for one in model if one[2] >= hi - 16 * first]
        expected = sorted((frame, frame + (64 << k)) for frame, k, _ in model)
        assert sorted(live_fake_frames(record(green))) == expected
    green.close()


def on_fiber(green: GreenGuest, lo: int, hi: int) -> None:
    record(green)["fiber"]["lo"] = lo
    record(green)["fiber"]["hi"] = hi


def test_a_fiber_in_the_threads_own_stack_leaves_the_frames_below_it_alone(
    green: GreenGuest,
) -> None:
    hi = int(record(green)["stack"]["hi"]) - 4096
    resumer, inner = take(green, 0, hi - 65536 - 64), take(green, 0, hi - 4096)
    on_fiber(green, hi - 65536, hi)
    fake_stack.unwound_to(green.ctx, hi - 2048)
    assert (shadow_of(resumer), shadow_of(inner)) == (0, AFTER_RETURN)
    record(green)["sp"] = hi - 1024
    assert list(live_fake_frames(record(green))) == [(resumer, resumer + 64)]


def test_frames_of_a_fiber_are_taken_back_by_the_fiber_alone(green: GreenGuest) -> None:
    lo = memory_map.HEAP_LO + (1 << 20)
    outer, inner = take(green, 0, lo + 8192), take(green, 0, lo + 1024)
    fake_stack.unwound_to(green.ctx, int(record(green)["stack"]["hi"]) - 64)
    assert (shadow_of(outer), shadow_of(inner)) == (0, 0)
    on_fiber(green, lo, lo + 65536)
    fake_stack.unwound_to(green.ctx, lo + 4096)
    assert (shadow_of(outer), shadow_of(inner)) == (0, AFTER_RETURN)


@pytest.mark.usefixtures("green")
def test_stacks_of_fibers_are_known_once_and_grow() -> None:
    before = list(context_stacks.fiber_stacks())
    far = memory_map.ARENA_HI + (1 << 41)
    for size_bytes in (4096, 8192, 4096):
        ucontext.remember_stack(far, far + size_bytes)
    assert list(context_stacks.fiber_stacks()) == [*before, (far, far + 8192)]


@pytest.mark.usefixtures("green")
def test_of_stacks_of_fibers_the_last_ones_are_known() -> None:
    far = memory_map.ARENA_HI + (1 << 41)
    for number in range(context_stacks.MAX_STACKS + 2):
        lo = far + number * 8192
        ucontext.remember_stack(lo, lo + 4096)
    found = set(context_stacks.fiber_stacks())
    assert len(found) == context_stacks.MAX_STACKS
    assert not {(far, far + 4096), (far + 8192, far + 8192 + 4096)} & found
    assert (lo, lo + 4096) in found
