"""Which functions cost what a system call costs, and when."""

from __future__ import annotations

from typing import Any

import pytest

from irsan.engine.glue import call_costs
from irsan.engine.glue.call_costs import cost_lines
from irsan.interceptors.registry import Export, host_exports, kernel_exports
from irsan.runtime.kernels.threads.turns import system_call_point
from irsan.runtime.layout.thread_states import SYNC_FUEL


def test_system_calls_cost_fuel_and_other_functions_do_not() -> None:
    assert cost_lines(Export("i64 read(i32,ptr,u64)", kernel="k"))
    assert not cost_lines(Export("u64 strlen(ptr)", kernel="k"))


def test_every_name_is_one_that_is_intercepted() -> None:
    names = {export.name for export in (*kernel_exports(), *host_exports())}
    assert call_costs._SYSTEM_CALLS - names == set()


@pytest.mark.parametrize("is_awaited", [False, True])
@pytest.mark.parametrize("explores", [False, True])
def test_a_call_costs_fuel_while_a_thread_waits_for_a_time(
    guest: Any, is_awaited: bool, explores: bool
) -> None:
    guest.ctx["schedule"]["n_timed"], guest.ctx["explore"]["is_on"] = is_awaited, explores
    guest.ctx["fuel"] = 1000
    system_call_point(guest.ctx)
    spent = 1000 - int(guest.ctx["fuel"])
    assert spent == (SYNC_FUEL if is_awaited and not explores else 0)
