"""Handlers of undefined behaviour: which there are, and that each can be explained."""

from __future__ import annotations

from irsan.interceptors.public_interface.ubsan_handlers import EXPORTS, ROUTINES
from irsan.runtime.diagnosis.undefined_failures import VALUE_FAILURES
from irsan.runtime.diagnosis.undefined_minimal import minimal_failure
from irsan.runtime.diagnosis.undefined_pointers import POINTER_FAILURES

STEM = "__ubsan_handle_"
NAMES = {export.name.removeprefix(STEM) for export in EXPORTS if export.name.startswith(STEM)}
WITHOUT_TWIN = {"builtin_unreachable", "missing_return", "cfi_bad_type"}


def test_every_handler_has_its_aborting_twin() -> None:
    plain = {name for name in NAMES if not name.endswith(("_abort", "_minimal"))}
    assert len(plain) == 27
    assert {name for name in plain if f"{name}_abort" not in NAMES} == WITHOUT_TWIN


def test_every_handler_is_explained_and_served() -> None:
    plain = {name for name in NAMES if not name.endswith(("_abort", "_minimal"))}
    explained = {*VALUE_FAILURES, *POINTER_FAILURES, "dynamic_type_cache_miss", "cfi_bad_type"}
    assert plain == explained
    assert {export.host for export in EXPORTS} == set(ROUTINES)


def test_every_minimal_handler_is_explained() -> None:
    minimal = {name.removesuffix("_minimal") for name in NAMES if name.endswith("_minimal")}
    assert {f"{name}_minimal_abort" for name in minimal} <= NAMES
    assert all(minimal_failure(name).message == name.replace("_", "-") for name in minimal)


def test_the_glue_asks_nobody_once_a_place_was_told() -> None:
    asked = {export.name.removeprefix(STEM) for export in EXPORTS if export.told_at}
    plain = {name for name in NAMES if not name.endswith(("_abort", "_minimal"))}
    assert plain - asked == WITHOUT_TWIN | {"dynamic_type_cache_miss"}
