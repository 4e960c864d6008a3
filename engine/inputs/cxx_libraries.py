"""Which C++ library the code of a program was compiled for, as the records of its files say.

The checked library is a libc++ (`std::__1`), that of most systems is libstdc++: their types are not
the same, so code for one cannot be linked with code for the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from irsan.errors import UsageError


@dataclass(slots=True)
class CxxLibraries:
    """The libraries of one program's units.

    level: the highest -O of those for the checked library; None: there is none.
    """

    level: int | None = None
    _first: dict[str, str] = field(default_factory=dict)  # a unit's path by its library

    def take(self, language: str, path: str, stdlib: str, opt_level: int) -> None:
        """One more unit. UsageError when it was compiled for another library than those before."""
        if stdlib:
            self.level = max(opt_level, self.level or 0)
        if language == "c++":
            self._first.setdefault(stdlib, path)
        if len(self._first) > 1:
            raise UsageError(self._refused())

    def _refused(self) -> str:
        checked = next(path for stdlib, path in self._first.items() if stdlib)
        return (
            f"{checked} was compiled for the checked C++ library, {self._first['']} was not: their "
            "types differ, so compile all C++ of a program with -stdlib=checked, or none"
        )
