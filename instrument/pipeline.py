"""The passes in their order: from plain IR to IR with checks.

front-end marks  ->  object sizes  ->  timestamps*, thread pointers*  ->  undefined behaviour
->  access counts*  ->  thread locals*  ->  pointer ids*  ->  uninitialised values*
->  order of initialisation  ->  loads, stores, atomics, copies, calls in one walk
->  object bounds*  ->  constructors  ->  redzones of globals
->  portable: stack variables, __tsan_func_entry/exit, marks off
->  engine: safepoints*, stack variables, exit roots*, ends never reached*, frames*, sites*,
    strips of loops*, outlining*, small copies*, hot functions*, structors*,
    debug info off, lines of what may trap*

* only what the engine runs; left out when `portable`
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from irsan.instrument.check_names import ALL_CHECKS, BITS_CROSS_CALLS, MEMORY, UNDEFINED
from irsan.instrument.check_stats import CheckStats
from irsan.instrument.passes import LocalPass, ModulePass, find_pass
from irsan.instrument.policy import ADDRESS, THREAD, Policy, decide, unmarked_for_bits
from irsan.instrument.sites.sites import SiteTable
from irsan.ir.attributes import Attribute
from irsan.ir.module import Module
from irsan.ir.values import Function

if TYPE_CHECKING:
    from irsan.instrument.access.memory_intrinsics import Sides
    from irsan.instrument.sites.site_stores import Lines

COUNTING = "dumb"
PROVENANCE = "provenance"
_LOCAL_PASSES = (
    "memory_access", "atomics", "memory_intrinsics", "byval", "library_order", "assembly_order",
)  # fmt: skip


def instrument_module(
    module: Module,
    sanitizers: frozenset[str],
    *,
    portable: bool = False,
    sites: SiteTable | None = None,
    keep_debug: bool = False,
    marked: frozenset[str] = frozenset(),
    stats: CheckStats | None = None,
) -> SiteTable:
    """Puts checks for `sanitizers` into `module`: `address`, `thread`, `undefined` (unless the
    compiler has), `dumb`; others are ignored.

    `pointer-pairs` beside `address`: comparisons and differences of pointers are checked too;
    `object-bounds`: accesses against the object of their pointer, `inner-bounds`: and against
    arrays inside of it (neither when portable).
    portable: only what compiler-rt has, so the output links with the native run-times.
    sites: the program's table so far, appended to; a fresh one when None.
    keep_debug: keep debug info in IR for the engine, store the site of whatever may trap, and give
        every function a frame: for the interpreter (portable IR always keeps debug info).
    marked: sanitizers for which every function to be checked is marked, be it that none is.
    stats: what became of checks is counted there.
    Returns the site table (untouched when portable).
    """
    table = SiteTable() if sites is None else sites
    with no_garbage_collection():
        find_pass("front_end_marks")(marked).apply(module)
        find_pass("object_sizes")().apply(module)
        _leave_resolvers(module)
        if not portable:
            find_pass("timestamp_reads")().apply(module)
            find_pass("thread_pointer_reads")().apply(module)
        if UNDEFINED in sanitizers - marked:
            find_pass("undefined_checks")().apply(module)
        policy = decide(module, sanitizers, marked)
        if COUNTING in sanitizers and not portable:
            find_pass("access_counting")(table).apply(module)
        finds_uninitialised = MEMORY in sanitizers and not portable
        follows_pointers = PROVENANCE in sanitizers and not portable
        uninitialised = None
        if finds_uninitialised:
            crosses_calls = BITS_CROSS_CALLS in sanitizers
            uninitialised = find_pass("uninitialised_values")(
                table, unmarked_for_bits(module, marked), crosses_calls
            )
        for one in passes_for(
            policy, table, portable=portable, keep_debug=keep_debug,
            uninitialised=uninitialised, follows_pointers=follows_pointers,
            spares_checks=ALL_CHECKS not in sanitizers, stats=stats,
        ):  # fmt: skip
            one.apply(module)
    return table


def _leave_resolvers(module: Module) -> None:
    """What chooses a function at load time runs before there is anything that hooks could use."""
    untouched = [Attribute("disable_sanitizer_instrumentation")]
    for ifunc in module.ifuncs:
        if isinstance(ifunc.resolver, Function):
            attributes = ifunc.resolver.attributes
            ifunc.resolver.attributes = attributes.with_function(untouched)


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Passes make many objects and drop few: collecting while they run costs half their time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def passes_for(
    policy: Policy, sites: SiteTable, *, portable: bool, keep_debug: bool,
    uninitialised: ModulePass | None = None, follows_pointers: bool = False,
    spares_checks: bool = True, stats: CheckStats | None = None,
) -> Iterator[ModulePass]:
    """The passes that `instrument_module` runs, in order."""
    if not portable:
        if ADDRESS in policy.preinstrumented:
            yield find_pass("preinstrumented")(is_checked=ADDRESS in policy.asked)
        yield find_pass("thread_locals")()
    if follows_pointers:
        yield find_pass("pointer_ids")(sites)
    if uninitialised is not None:
        yield uninitialised
    sides: Sides = {}
    yield from _checking_passes(policy, portable, spares_checks, stats, sides)
    if policy.wanted or not portable:
        yield find_pass("effect_attributes")()
    if portable:
        yield from _stack_passes(policy, is_portable=True)
        if THREAD in policy.wanted:
            yield find_pass("function_frames")(policy)
        yield find_pass("marks_off")(policy.wanted)
        yield find_pass("older_readers")()
        return
    yield find_pass("safepoints")()
    yield from _stack_passes(policy, is_portable=False, follows_pointers=follows_pointers)
    yield find_pass("exit_roots")()
    yield find_pass("unreachable_ends")()
    lines: Lines | None = {} if policy.asked and not keep_debug else None
    yield find_pass("shadow_frames")(not keep_debug, lines is None)
    yield find_pass("marking")(sites, ADDRESS in policy.asked, lines)
    if spares_checks and not keep_debug:
        yield find_pass("loop_strips")({} if lines is None else lines, stats)
    if not keep_debug:
        yield find_pass("outlining")()
    if uninitialised is None and not (follows_pointers or keep_debug):
        yield find_pass("small_copies")(policy, sides)
    yield find_pass("hot_functions")()
    yield find_pass("structors")()
    if not policy.asked:
        yield find_pass("fault_sites")(sites)
    elif lines is not None:
        yield find_pass("site_lines")(lines)


def _stack_passes(
    policy: Policy, *, is_portable: bool, follows_pointers: bool = False
) -> Iterator[ModulePass]:
    """Behind the passes that want to know an alloca when they see one."""
    if ADDRESS in policy.wanted:
        yield find_pass("stack_frames")(policy, is_portable)
        yield find_pass("dynamic_allocas")(policy)
    if ADDRESS in policy.wanted or follows_pointers:
        yield find_pass("stack_arrivals")(policy, is_portable, follows_pointers)


def _checking_passes(
    policy: Policy, portable: bool, spares_checks: bool, stats: CheckStats | None, sides: Sides
) -> Iterator[ModulePass]:
    if not policy.wanted:
        return
    from irsan.instrument.access.block_walk import BlockWalk

    if ADDRESS in policy.wanted:
        yield find_pass("init_order")(portable, ADDRESS in policy.marked)
    names = (*_LOCAL_PASSES, "pointer_pairs") if policy.pairs else _LOCAL_PASSES
    arguments: dict[str, list[Any]] = {
        "atomics": [not portable], "memory_intrinsics": [sides],
    }  # fmt: skip
    local: tuple[LocalPass, ...] = tuple(
        [find_pass(name)(*arguments.get(name, ())) for name in names]
    )
    yield BlockWalk(local, policy, stats)
    yield find_pass("masked_access")(policy)
    yield find_pass("rmw_loops")(policy)
    if policy.bounds_level and not portable:
        yield find_pass("object_bounds")(policy, stats, spares_checks)
    yield find_pass("module_constructor")(policy.wanted)
    if ADDRESS in policy.wanted:
        yield find_pass("global_redzones")(portable)
