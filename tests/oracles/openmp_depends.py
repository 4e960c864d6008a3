"""Which tasks a task depends on: each pair of siblings compared, as the specification says it.

Two tasks that name one address are ordered by their creation, unless both only read it, or both are
members of a set of one kind; and members of a mutexinoutset exclude each other.
"""

from __future__ import annotations

from dataclasses import dataclass, field

IN, OUT, MUTEX, IN_OUT_SET = 1, 2, 4, 8


@dataclass(slots=True)
class Sibling:
    """A task: what it says of each address, and how far it is."""

    flags: dict[int, int]
    state: str = "made"
    number: int = 0


def kind_of(flags: int) -> int:
    """The strongest word for an address."""
    return next(kind for kind in (OUT, MUTEX, IN_OUT_SET, IN) if flags & kind)


def are_ordered(first: Sibling, second: Sibling) -> bool:
    """Whether the later task waits for the earlier one."""
    for address, flags in second.flags.items():
        if address in first.flags:
            kinds = kind_of(first.flags[address]), kind_of(flags)
            if kinds[0] != kinds[1] or OUT in kinds:
                return True
    return False


@dataclass(slots=True)
class Siblings:
    """All tasks of one parent, in the order of their creation."""

    tasks: list[Sibling] = field(default_factory=list)

    def may_begin(self, number: int) -> bool:
        """Whether nothing before a task, and no rival, is left."""
        task = self.tasks[number]
        earlier = self.tasks[:number]
        if any(one.state != "over" and are_ordered(one, task) for one in earlier):
            return False
        rivals = (one for one in self.tasks if one is not task and one.state == "runs")
        return not any(
            kind_of(task.flags[address]) == MUTEX and kind_of(one.flags[address]) == MUTEX
            for one in rivals for address in task.flags.keys() & one.flags.keys()
        )  # fmt: skip
