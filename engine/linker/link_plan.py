"""How a program made of several images is linked: an executable and libraries that carry IR.

Natively each image is linked by itself and the dynamic linker joins them: a name that an image
exports means the first definition in search order (executable, then libraries breadth first), one
that it hides is its own. Here all are linked at once, with these rules:

    group 0       the executable, or loose sources        group n     the n-th library
    Names         what a group exports and what it binds to itself, as its dynamic symbols say
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Names:
    """Dynamic symbols of a group. exports None: every name is seen by all (loose sources).

    imports: names that its code cannot do without.
    own: exported names that the group itself always takes from itself (-Bsymbolic, protected).
    """

    exports: frozenset[str] | None = None
    own: frozenset[str] = frozenset()
    imports: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class NativeObject:
    """A relocatable object that came without IR."""

    name: str
    raw: bytes
    group: int = 0


@dataclass(frozen=True, slots=True)
class LinkPlan:
    """The images that are linked beside the objects that irsan has made.

    groups: of those objects in order; further ones belong to group 0.
    names: per group.
    starts: groups in the order in which their constructors run.
    libraries: native shared libraries, as paths or sonames, in load order.
    folders: where those and what they need are looked for first.
    paths: of the groups behind the first.
    search: folders in which the program finds what it opens by name.
    beside: paths of needed libraries that the program has opened before.
    was_linked: a linker has linked the same objects before: what no group imports is only named by
    code that it has left out, and that cannot be called.
    checked_level: -O of the code that was compiled for the checked C++ library; None for none.
    """

    groups: tuple[int, ...] = ()
    natives: tuple[NativeObject, ...] = ()
    names: tuple[Names, ...] = (Names(),)
    starts: tuple[int, ...] = (0,)
    libraries: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    was_linked: bool = False
    paths: tuple[str, ...] = ()
    search: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    checked_level: int | None = None

    def can_miss(self, name: str) -> bool:
        """Whether a name that has no definition cannot be called."""
        return self.was_linked and not any(name in one.imports for one in self.names)

    def group_of(self, number: int) -> int:
        """The group of the object at a place."""
        return self.groups[number] if number < len(self.groups) else 0
