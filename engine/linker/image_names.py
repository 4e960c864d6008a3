"""Which definition a name means when several images are linked at once (link_plan.py).

    scoped name    name + NUL + group: a definition that only its own group sees

    of_image(..)   the definition that a group exports, whether others mean it or not: dlsym's
                   RTLD_NEXT asks for it

A group's reference means its own scoped definition if there is one, else the plain name.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from irsan.engine.linker.link_plan import Names

_MARK = "\0"


class ImageNames:
    """The scopes of one link."""

    def __init__(self, names: Sequence[Names] = (Names(),)) -> None:
        self._names = names
        self.has_scopes = len(names) > 1

    def definitions(self, name: str, group: int) -> tuple[str, ...]:
        """The names under which a definition of a group is entered."""
        exports = self._names[group].exports
        if not self.has_scopes or exports is None:
            return (name,)
        if name not in exports:
            # Only the executable itself looks for what it hides, unless a library has it too.
            hidden = scoped(name, group)
            return (hidden,) if group or self._is_exported(name) else (name,)
        exported = (name, of_image(name, group))
        return (*exported, scoped(name, group)) if name in self._names[group].own else exported

    def reference(self, name: str, group: int, defined: Container[str]) -> str:
        """What a group's reference to a name means."""
        if not self.has_scopes:
            return name
        own = scoped(name, group)
        return own if own in defined else name

    def own_symbol(self, name: str, group: int) -> str:
        """What a name means to the group that defines it, unless another is found before."""
        return self.reference(name, group, self.definitions(name, group))

    def _is_exported(self, name: str) -> bool:
        return any(one.exports is not None and name in one.exports for one in self._names[1:])


def scoped(name: str, group: int) -> str:
    """The name of a definition that only its group sees."""
    return f"{name}{_MARK}{group}"


def of_image(name: str, group: int) -> str:
    """The name of what a group itself exports under a name."""
    return f"{name}{_MARK}of {group}"


def plain(name: str) -> str:
    """The name as the source has it."""
    return name.partition(_MARK)[0]
