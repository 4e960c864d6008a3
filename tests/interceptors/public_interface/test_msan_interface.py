"""What programs and the compiler say about initialised memory: expected uses, destroyed objects."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from irsan.interceptors.public_interface import msan_interface as msan
from irsan.runtime import arena
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.uninitialised import uninit_shadow, uninit_use
from irsan.runtime.layout import memory_map
from irsan.runtime.layout import uninit_layout as ul
from irsan.runtime.layout.faults import FaultKind
from tests.support.uninit_memory import begin_tracking, shadow_of

PLACE = memory_map.STACKS_LO + 4096
SP = PLACE - 512
VARIABLE = ul.STACK_BIT | 7


@pytest.fixture
def ctx(guest: Any) -> Any:
    begin_tracking()
    arena.view_words(ul.POISONS_DESTROYED, 4)[:] = (1, 0, 0, 0)
    uninit_shadow.bits_begin(guest.ctx, PLACE, 16, VARIABLE)
    return guest.ctx


def is_told(ctx: Any) -> bool:
    return int(ctx["action"]) == actions.REPORT and int(ctx["fault"][0]) == FaultKind.UNINITIALISED


def test_an_expected_use_is_noted_and_not_told(ctx: Any) -> None:
    msan.msan_expect_use(ctx, 1)
    uninit_use.uninit_use(ctx, PLACE, 4, SP)
    assert uninit_use.uninit_read(ctx, PLACE, 4)
    msan.msan_expect_use(ctx, 0)
    assert not is_told(ctx)
    assert int(msan.msan_use_origin(ctx)) == VARIABLE
    uninit_use.uninit_use(ctx, PLACE, 4, SP)
    assert is_told(ctx)


def test_an_expected_use_that_never_came_is_told(ctx: Any) -> None:
    msan.msan_expect_use(ctx, 1)
    msan.msan_expect_use(ctx, 0)
    assert is_told(ctx) and int(ctx["fault"][6]) == ul.MISSING_USE


def test_what_a_destructor_leaves_is_unset_until_somebody_writes_it(ctx: Any) -> None:
    uninit_shadow.bits_clear(ctx, PLACE, 16)
    msan.msan_fields_destroyed(ctx, PLACE, 8)
    assert shadow_of(PLACE, 16) == b"\xff" * 8 + bytes(8)
    ctypes.memset(PLACE, 1, 1)  # natively compiled code makes a new object
    uninit_use.uninit_use(ctx, PLACE, 4, SP)
    assert not is_told(ctx)
    msan.msan_class_pointer_destroyed(ctx, PLACE)
    uninit_use.uninit_use(ctx, PLACE, 8, SP)
    assert is_told(ctx)


def test_a_flag_leaves_destroyed_objects_be(ctx: Any) -> None:
    arena.view_words(ul.POISONS_DESTROYED, 1)[0] = 0
    uninit_shadow.bits_clear(ctx, PLACE, 16)
    msan.msan_fields_destroyed(ctx, PLACE, 8)
    assert shadow_of(PLACE, 16) == bytes(16)


def test_a_chained_origin_descends_from_the_one_before(ctx: Any) -> None:
    word = msan.msan_chain_origin(ctx, msan.msan_get_origin(ctx, PLACE))
    assert msan.msan_is_descendant(ctx, word, VARIABLE) == 1
    assert msan.msan_is_descendant(ctx, VARIABLE, word) == 0
    assert int(msan.msan_chain_origin(ctx, 0)) == 0
    assert int(msan.msan_track_origins(ctx)) == 2


def test_the_first_arguments_become_initialised_and_no_others(ctx: Any) -> None:
    passed = arena.view_words(ul.PASSED, 4)
    for n_arguments, left in ((0, 4), (2, 2), (1 << 40, 0)):
        passed[:] = np.iinfo(np.uint64).max
        msan.msan_unpoison_param(ctx, n_arguments)
        assert np.count_nonzero(passed) == left


def test_bytes_that_got_shadow_alone_stay_unset_whatever_they_hold(ctx: Any) -> None:
    target = PLACE + 64
    uninit_shadow.bits_clear(ctx, target, 16)
    ctypes.memset(target, 1, 16)
    msan.msan_copy_shadow(ctx, target, PLACE, 16)
    uninit_use.uninit_use(ctx, target, 4, SP)
    assert is_told(ctx) and shadow_of(target, 16) == b"\xff" * 16
    word = int(ctx["fault"][6])
    assert msan.msan_is_descendant(ctx, word, VARIABLE) == 1
    assert int(msan.msan_get_origin(ctx, target + 12)) == word
