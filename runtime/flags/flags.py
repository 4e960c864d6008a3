"""Option strings to flags: `ASAN_OPTIONS=redzone=32:color=never` and similar, one immutable result.

Sources, later wins: defaults of the table < the program's own default-options functions <
flags named GWP_ASAN_... of SCUDO_OPTIONS < ASAN_, TSAN_, LSAN_, UBSAN_, MSAN_, GWP_ASAN_,
DBSAN_OPTIONS < IRSAN_OPTIONS.
A tool's variable takes that tool's flags and the common ones; IRSAN_OPTIONS takes every flag and
sets it for every tool.

Two ways to ask:
    flags.malloc_context_size    the process: what the last source said, whichever tool it was for
    flags.tsan.exitcode          one tool: as its native twin would read it. A common flag counts
                                 if it came from that tool's source or IRSAN_OPTIONS; leaks and
                                 undefined behaviour also listen to ASAN_OPTIONS, as they do when
                                 they share a binary. So ASAN_OPTIONS=exitcode=7 is about memory
                                 findings, TSAN_OPTIONS=exitcode=8 about races, IRSAN_OPTIONS all.

A wrong or unknown flag never stops a run: it is returned as a warning that names the nearest flag.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from irsan.errors import InternalError
from irsan.runtime.flags.flag_table import FLAGS, OWNERS, TOOL_DEFAULTS, Flag, FlagValue, Owner
from irsan.runtime.flags.flag_text import FlagSyntaxError, split_flags, text_to_value

if TYPE_CHECKING:
    from irsan.reports.model.report import Tool

T = TypeVar("T", bool, int, str)

VARIABLES: Mapping[str, Owner] = MappingProxyType({
    "ASAN_OPTIONS": "asan",
    "TSAN_OPTIONS": "tsan",
    "LSAN_OPTIONS": "lsan",
    "UBSAN_OPTIONS": "ubsan",
    "MSAN_OPTIONS": "msan",
    "GWP_ASAN_OPTIONS": "gwp_asan",
    "DBSAN_OPTIONS": "dbsan",
    "IRSAN_OPTIONS": "irsan",
})
TOOL_OWNERS: Mapping[Tool, Owner] = MappingProxyType({
    "AddressSanitizer": "asan",
    "ThreadSanitizer": "tsan",
    "LeakSanitizer": "lsan",
    "UndefinedBehaviorSanitizer": "ubsan",
    "MemorySanitizer": "msan",
    "GWP-ASan": "gwp_asan",
})
_OWNER_NAMES: Mapping[Owner, str] = MappingProxyType({
    "common": "every tool",
    "dbsan": "DumbSanitizer",
    "irsan": "irsan",
    **{owner: tool for tool, owner in TOOL_OWNERS.items()},
})
_LISTENS_TO: Mapping[Owner, tuple[Owner, ...]] = {"lsan": ("asan",), "ubsan": ("asan",)}
_MAX_INCLUDE_DEPTH = 8
_BY_KEY: Mapping[tuple[Owner, str], Flag] = {(f.owner, f.name): f for f in FLAGS}
_OWNERS_OF: dict[str, tuple[Owner, ...]] = {}
for _flag in FLAGS:
    _OWNERS_OF[_flag.name] = (*_OWNERS_OF.get(_flag.name, ()), _flag.owner)


@dataclass(frozen=True, slots=True)
class Assignment:
    """`flag = value`, said by `source` (an environment variable or a function of the program)."""

    owner: Owner
    flag: Flag
    value: FlagValue
    source: str


class FlagView:
    """Immutable flags as one reader sees them: `view.name`, or typed, `view.get_int("name")`."""

    __slots__ = ("_values", "owner")
    owner: Owner
    _values: Mapping[str, FlagValue]

    def __init__(self, owner: Owner, values: Mapping[str, FlagValue]) -> None:
        object.__setattr__(self, "owner", owner)
        object.__setattr__(self, "_values", MappingProxyType(dict(values)))

    def __getattr__(self, name: str) -> Any:
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError(_no_such_flag(self.owner, name)) from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"flags are immutable; cannot set {name!r} to {value!r}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def as_mapping(self) -> Mapping[str, FlagValue]:
        """Every flag this reader may ask for: name to value."""
        return self._values

    def get_bool(self, name: str) -> bool:
        """Value of a yes-or-no flag."""
        return self._typed(name, bool)

    def get_int(self, name: str) -> int:
        """Value of a number."""
        return self._typed(name, int)

    def get_str(self, name: str) -> str:
        """Value of a text or enum flag."""
        return self._typed(name, str)

    def _typed(self, name: str, kind: type[T]) -> T:
        value = getattr(self, name)
        if not isinstance(value, kind) or type(value) is not kind:
            raise InternalError(f"flag {name} is {type(value).__name__}, asked as {kind.__name__}")
        return value


class Flags(FlagView):
    """The process's flags, and one view per tool (`flags.asan`, `flags.tsan`, ...)."""

    __slots__ = ("_tools",)
    _tools: Mapping[Owner, FlagView]

    def __init__(self, assignments: tuple[Assignment, ...] = ()) -> None:
        super().__init__("irsan", _process_values(assignments))
        tools = {o: FlagView(o, _tool_values(o, assignments)) for o in OWNERS if o != "common"}
        object.__setattr__(self, "_tools", MappingProxyType(tools))

    def tool(self, owner: Owner) -> FlagView:
        """Flags as `owner` sees them."""
        return self._tools[owner]

    @property
    def asan(self) -> FlagView:
        """Flags of memory errors."""
        return self.tool("asan")

    @property
    def tsan(self) -> FlagView:
        """Flags of races, mutexes and deadlocks."""
        return self.tool("tsan")

    @property
    def lsan(self) -> FlagView:
        """Flags of leaks."""
        return self.tool("lsan")

    @property
    def ubsan(self) -> FlagView:
        """Flags of undefined behaviour."""
        return self.tool("ubsan")

    @property
    def msan(self) -> FlagView:
        """Flags of uninitialised values."""
        return self.tool("msan")

    @property
    def gwp_asan(self) -> FlagView:
        """Flags of the guarded pool."""
        return self.tool("gwp_asan")

    @property
    def dbsan(self) -> FlagView:
        """Flags of the access counter."""
        return self.tool("dbsan")


@dataclass(frozen=True, slots=True)
class ParsedFlags:
    """Flags, and messages for the user: `warnings` always, `notes` at verbosity 1 or more."""

    flags: Flags
    warnings: tuple[str, ...]
    notes: tuple[str, ...]


def parse_flags(
    environment: Mapping[str, str],
    program_defaults: Mapping[Owner, str] | None = None,
    *,
    program: str = "",
    pid: int = 0,
    read_text: Callable[[str], str] | None = None,
) -> ParsedFlags:
    """Read all option strings.

    `environment`: variables such as os.environ. `program_defaults`: what the program's
    `__asan_default_options` and similar returned, by owner. `program` and `pid` replace %b and %p
    in include paths; `read_text` reads an included file (OSError when it cannot).
    """
    reader = _Reader(program, pid, read_text or (lambda path: Path(path).read_text()))
    for owner, text in (program_defaults or {}).items():
        reader.read(owner, f"__{owner}_default_options", text)
    reader.read_prefixed("gwp_asan", "SCUDO_OPTIONS", "GWP_ASAN_", environment)
    for variable, owner in VARIABLES.items():
        reader.read(owner, variable, environment.get(variable, ""))
    flags = Flags(tuple(reader.assignments))
    return ParsedFlags(flags, tuple(reader.warnings), tuple(reader.notes))


def exit_status_after(flags: Flags, tools: Sequence[Tool], program_status: int) -> int:
    """Exit status of a run: `tools` names the tool of each finding, in the order found.

    The first finding decides: its tool's `exitcode`, where 0 means the program's own status.
    """
    if not tools:
        return program_status
    owner = TOOL_OWNERS[tools[0]]
    if owner == "msan" and flags.msan.get_int("exit_code") >= 0:
        return flags.msan.get_int("exit_code") or program_status
    return flags.tool(owner).get_int("exitcode") or program_status


def format_help(flags: Flags) -> str:
    """List of every flag for help=1: value, default when it differs, status, meaning."""
    lines = ["Set flags in IRSAN_OPTIONS, or in the variable of their tool."]
    for owner in (*(each for each in OWNERS if each != "common"), *OWNERS[:1]):
        lines.append(f"Available flags for {_OWNER_NAMES[owner]}:")
        view = flags if owner == "common" else flags.tool(owner)
        rows = [f for f in FLAGS if f.owner == owner]
        lines += [_help_line(f, view.as_mapping()[f.name]) for f in rows]
    return "\n".join(lines) + "\n"


def nearest_flag(name: str) -> str:
    """The known flag most like `name`, or an empty string."""
    import difflib  # only a wrong flag needs it

    return next(iter(difflib.get_close_matches(name, _OWNERS_OF, n=1, cutoff=0.6)), "")


class _Reader:
    """Collects assignments and complaints over all sources, in order."""

    def __init__(self, program: str, pid: int, read_text: Callable[[str], str]) -> None:
        self.assignments: list[Assignment] = []
        self.warnings: list[str] = []
        self.notes: list[str] = []
        self._program, self._pid, self._read_text = program, pid, read_text

    def read(self, owner: Owner, source: str, text: str, depth: int = 0) -> None:
        try:
            for name, value in split_flags(text):
                self._assign(owner, source, name, value, depth)
        except FlagSyntaxError as error:
            self.warnings.append(f"{source}: {error}; the rest of it is ignored")

    def read_prefixed(
        self, owner: Owner, variable: str, prefix: str, environment: Mapping[str, str]
    ) -> None:
        """Read from another tool's variable the flags with `prefix`; the rest is not ours."""
        try:
            pairs = list(split_flags(environment.get(variable, "")))
        except FlagSyntaxError:
            return
        for name, value in pairs:
            if name.startswith(prefix):
                self._assign(owner, variable, name.removeprefix(prefix), value, 0)

    def _assign(self, owner: Owner, source: str, name: str, text: str, depth: int) -> None:
        flags = _flags_named(owner, name)
        if not flags:
            self.warnings.append(f"{source}: {_unknown(owner, name)}")
            return
        try:
            values = [text_to_value(flag, text) for flag in flags]
        except ValueError as error:
            self.warnings.append(f"{source}: {name}={text}: {error}; kept as it was")
            return
        pairs = zip(flags, values, strict=True)
        self.assignments += [Assignment(owner, f, v, source) for f, v in pairs]
        if all(flag.status == "accepted" for flag in flags):
            self.notes.append(f"{source}: {name} has no meaning here ({flags[0].help})")
        elif all(flag.status == "later" for flag in flags):
            self.notes.append(f"{source}: {name} has no effect in this release ({flags[0].help})")
        if name in ("include", "include_if_exists"):
            self._include(owner, text, depth, must_exist=name == "include")

    def _include(self, owner: Owner, path: str, depth: int, *, must_exist: bool) -> None:
        path = path.replace("%b", Path(self._program).name).replace("%p", str(self._pid))
        if depth >= _MAX_INCLUDE_DEPTH:
            self.warnings.append(f"{path}: included from within itself; ignored")
            return
        try:
            text = self._read_text(path)
        except (OSError, UnicodeDecodeError) as error:
            if must_exist:
                reason = getattr(error, "strerror", None) or error
                self.warnings.append(f"cannot read flags from {path}: {reason}")
            return
        self.read(owner, path, text, depth + 1)


def _flags_named(owner: Owner, name: str) -> list[Flag]:
    """Flags that `name` means in a source of `owner`: any number of tools' for irsan's own."""
    if owner == "irsan":
        return [_BY_KEY[o, name] for o in _OWNERS_OF.get(name, ())]
    own = _BY_KEY.get((owner, name)) or _BY_KEY.get(("common", name))
    return [own] if own else []


def _unknown(owner: Owner, name: str) -> str:
    if name in _OWNERS_OF:
        owners = " or ".join(f"{o.upper()}_OPTIONS" for o in _OWNERS_OF[name])
        return f"{name} is not a flag of {owner}; set it in {owners}"
    guess = nearest_flag(name)
    return f"unknown flag {name!r}" + (f"; did you mean {guess!r}?" if guess else "")


def _process_values(assignments: tuple[Assignment, ...]) -> dict[str, FlagValue]:
    values = dict(_PROCESS_DEFAULTS)
    values.update({a.flag.name: a.value for a in assignments if a.flag.name in values})
    return values


def _tool_values(owner: Owner, assignments: tuple[Assignment, ...]) -> dict[str, FlagValue]:
    values = dict(_DEFAULTS_OF_TOOL[owner])
    heard = (owner, "irsan", *_LISTENS_TO.get(owner, ()))
    for a in assignments:
        if a.owner in heard and a.flag.owner in _readable(owner):
            values[a.flag.name] = a.value
    return values


def _readable(owner: Owner) -> tuple[Owner, ...]:
    """Whose flags a tool's reader sees."""
    return "common", "irsan", owner


def _tool_defaults(owner: Owner) -> dict[str, FlagValue]:
    values = {f.name: f.default for f in FLAGS if f.owner in _readable(owner)}
    values.update({name: v for (tool, name), v in TOOL_DEFAULTS.items() if tool == owner})
    return values


_PROCESS_DEFAULTS = {f.name: f.default for f in FLAGS if len(_OWNERS_OF[f.name]) == 1}
_DEFAULTS_OF_TOOL = {owner: _tool_defaults(owner) for owner in OWNERS}


def _no_such_flag(owner: Owner, name: str) -> str:
    owners = _OWNERS_OF.get(name, ())
    if not owners:
        return f"no flag {name!r}"
    return f"flag {name!r} is not {owner}'s: ask " + " or ".join(f"flags.{o}" for o in owners)


def _help_line(flag: Flag, value: FlagValue) -> str:
    changed = "" if value == flag.default else f", default {_shown(flag.default)}"
    text = f"{flag.help} ({flag.status}{changed})"
    return f"\t{flag.name}={_shown(value)}\n\t\t- {text}"


def _shown(value: FlagValue) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return value or '""' if isinstance(value, str) else str(value)
