"""All interleavings of a small test: source sets and sleep sets.

    play(prefix)   the execution that follows a sequence of threads, then goes on by itself
    node           a state of the newest execution: who was ready there, which threads are to be
                   tried (backtrack), which were (done), which need not be (sleep)

Two transitions race when they depend on each other and nothing that their later thread has done
before orders them.  For each race a thread is tried, where the earlier one was done, that leads to
the other order, unless one is tried already: the first of what may come before both.  A thread that
was tried at a node sleeps there, until something that depends on what it would do has happened: so
no Mazurkiewicz trace is completed twice.

Source: Abdulla, Aronis, Jonsson, Sagonas, "Optimal dynamic partial order reduction", POPL 2014,
algorithm 1 (source-DPOR).
Deviations: races need not be immediate, so that giving up a lock between two attempts to take it
hides no race; an execution is always played to its end, so one that runs into its sleep set is
played and then thrown away.

How many traces there are in all is estimated as Kilby, Slaney, Thiebaux and Walsh do it for
backtracking ("Estimating search tree size", AAAI 2006, recursive estimator): what is still to be
tried at a node leads to as many traces as what was tried there did in the mean.  Threads that later
races will add are not known, so the estimate is rather too small, most of all at the begin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from irsan.explore.partial_orders import Execution, Order, Transition, are_dependent

Play = Callable[[Sequence[int]], Execution]


@dataclass(slots=True)
class Node:
    """A state before a transition of the newest execution; `sleep`: what each thread would do.

    n_traces: what the threads in `done` have led to
    """

    chosen: Transition
    sleep: dict[int, Transition]
    backtrack: set[int]
    done: dict[int, Transition] = field(default_factory=dict)
    n_traces: int = 0

    def left(self) -> set[int]:
        """The threads that are still to be tried here."""
        return self.backtrack - set(self.done) - set(self.sleep) - {self.chosen.thread}

    def estimate(self, behind: float | None) -> float | None:
        """How many traces begin here; behind: those of the chosen thread, None: not known."""
        n_known = len(self.done) + (behind is not None)
        if not n_known:
            return None
        mean = (self.n_traces + (behind or 0)) / n_known
        return mean * (len(self.done) + 1 + len(self.left()))

    def sleep_behind(self) -> dict[int, Transition]:
        """Which threads sleep behind the chosen transition."""
        asleep = {**self.sleep, **self.done}
        asleep.pop(self.chosen.thread, None)
        return {
            thread: would for thread, would in asleep.items()
            if not are_dependent(would, self.chosen)
        }  # fmt: skip


@dataclass(slots=True)
class Search:
    """A search over all traces of a program; `n_played` counts executions, wasted ones too."""

    play: Play
    n_played: int = 0
    n_wasted: int = 0
    _nodes: list[Node] = field(default_factory=list)

    def executions(self) -> Iterator[Execution]:
        """One execution of each trace."""
        prefix: list[int] | None = []
        while prefix is not None:
            execution = self._extend(prefix)
            done = [node.chosen for node in self._nodes]
            self._note_races(done)
            if execution is not None:
                for waiting in execution.pending:
                    self._note_races([*done, waiting])
                yield execution
            prefix = self._next_prefix(execution is not None)

    def estimate(self) -> int:
        """About how many traces there are in all, of which some have been played."""
        estimate: float | None = None
        for node in reversed(self._nodes):
            estimate = node.estimate(estimate)
        return round(estimate or 0)

    def _extend(self, prefix: list[int]) -> Execution | None:
        """Play a prefix to its end; None when the execution is one of a known trace."""
        while True:
            execution = self.play(prefix)
            self.n_played += 1
            if prefix:
                self._nodes[len(prefix) - 1].chosen = execution.done[len(prefix) - 1]
            stopped_at = self._add_nodes(execution.done, len(prefix))
            if stopped_at is None:
                return execution
            self.n_wasted += 1
            sleep = self._sleep_at_end()
            ready = execution.done[stopped_at].ready
            if ready <= set(sleep):
                return None
            chosen = min(ready - set(sleep))
            self._nodes.append(Node(Transition(chosen, frozenset(), ready), sleep, {chosen}))
            prefix = [node.chosen.thread for node in self._nodes]

    def _add_nodes(self, execution: Sequence[Transition], start: int) -> int | None:
        """Nodes for what was played behind a prefix; the place where a sleeping thread went on."""
        for number in range(start, len(execution)):
            sleep = self._sleep_at_end()
            if execution[number].thread in sleep:
                return number
            self._nodes.append(Node(execution[number], sleep, {execution[number].thread}))
        return None

    def _sleep_at_end(self) -> dict[int, Transition]:
        return self._nodes[-1].sleep_behind() if self._nodes else {}

    def _note_races(self, execution: Sequence[Transition]) -> None:
        order = Order(execution)
        for later in range(len(execution)):
            for earlier in order.races_with(later):
                self._try_before(earlier, order.initials(earlier, later))

    def _try_before(self, number: int, initials: Sequence[int]) -> None:
        """Try, where a transition was done, a thread that leads to the other order of a race."""
        node = self._nodes[number]
        if node.backtrack.isdisjoint(initials):
            node.backtrack.update([t for t in initials if t in node.chosen.ready][:1])

    def _next_prefix(self, n_traces: int) -> list[int] | None:
        """The deepest state at which a thread is to be tried, with that thread; None: all done.

        n_traces: how many the newest execution has added
        """
        while self._nodes:
            node = self._nodes[-1]
            node.done[node.chosen.thread] = node.chosen
            node.n_traces += n_traces
            left = node.left()
            if left:
                node.chosen = Transition(min(left), frozenset(), node.chosen.ready)
                return [one.chosen.thread for one in self._nodes]
            n_traces = self._nodes.pop().n_traces
        return None
