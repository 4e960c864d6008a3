"""What passes that walk blocks share while they are in one function.

scope = FunctionScope(module, function, checks, hooks, sizes)
scope.checks_address, .checks_thread       what to insert here
scope.addresses.locate(pointer)            irsan.instrument.analysis.objects.addresses
scope.lifetimes, .alive                    which variables are alive at this point of the walk
scope.unescaped                            allocas no other thread can reach
scope.covered                              irsan.instrument.analysis.objects.redundant_checks: what
                                           needs no second check
scope.stats                                irsan.instrument.check_stats: what became of checks
scope.replaced[old] = new                  applied to the whole function at its end
"""

from __future__ import annotations

from irsan.instrument.analysis.objects.addresses import AddressFacts
from irsan.instrument.analysis.objects.escape import unescaped_allocas
from irsan.instrument.analysis.objects.lifetimes import Lifetimes
from irsan.instrument.analysis.objects.redundant_checks import CoveredPlaces
from irsan.instrument.analysis.objects.stack_variables import byval_sizes
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.check_stats import CheckStats
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.policy import ADDRESS, THREAD
from irsan.ir.memory import Alloca
from irsan.ir.module import Module
from irsan.ir.values import Function, Value


class FunctionScope:
    """State of one walk over one function."""

    __slots__ = (
        "_unescaped",
        "addresses",
        "alive",
        "checks_address",
        "checks_thread",
        "covered",
        "function",
        "hooks",
        "instruments_atomics",
        "lifetimes",
        "module",
        "poisons",
        "replaced",
        "sizes",
        "stats",
    )  # fmt: skip

    def __init__(
        self,
        module: Module,
        function: Function,
        checks: frozenset[str],
        hooks: HookCalls,
        sizes: TypeSizes,
        stats: CheckStats | None = None,
    ) -> None:
        self.module = module
        self.function = function
        self.hooks = hooks
        self.sizes = sizes
        self.stats = CheckStats() if stats is None else stats
        self.checks_address = ADDRESS in checks
        self.checks_thread = THREAD in checks
        self.addresses = AddressFacts(sizes, byval_sizes(function, sizes))
        self.lifetimes = Lifetimes(function, self.addresses)
        self.alive = 0
        self.covered = CoveredPlaces()
        self.instruments_atomics = False
        self.poisons = False
        self.replaced: dict[Value, Value] = {}
        self._unescaped: frozenset[Alloca] | None = None

    @property
    def unescaped(self) -> frozenset[Alloca]:
        """Allocas of this function whose address stays here; found at the first question."""
        if self._unescaped is None:
            self._unescaped = unescaped_allocas(self.function)
        return self._unescaped
