"""What a program needs of libraries that come as IR: the functions reached from it, no more.

    reached(graphs, wanted)    per library, the symbols that others want of it
    sliced(parts, wanted)      the libraries' bitcode with everything else left out

A language's standard library is one big module per crate. Instrumenting all of it would take
minutes, for a program that uses a hundredth. So the symbols that a program wants are followed
through the modules, as a linker's --gc-sections does, and each module keeps what is reached. The
result depends on that set alone: programs that want the same share it in the cache.

A module's graph is read off its text once and kept: name -> names that its definition mentions.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from irsan.engine.cache import Cache
from irsan.installed import installed_version

_NAME: Final = r'@("[^"]*"|[-\w.$]+)'
_USED: Final = re.compile(_NAME)
_DEFINED: Final = re.compile(rf"^(?:define\b[^@]*{_NAME}|{_NAME} = )")
_DECLARED: Final = re.compile(rf"^(?:declare\b[^@]*{_NAME}|{_NAME} = (?:[\w()]+ )*external )")
_LOCAL: Final = re.compile(r"(?:= |^define )(?:private|internal|available_externally)\b")
_ESCAPE: Final = re.compile(r"\\([0-9A-Fa-f]{2})")
#: variables of LLVM that keep others: they are roots of a module that is linked at all
_KEEPERS: Final = ("llvm.used", "llvm.compiler.used", "llvm.global_ctors", "llvm.global_dtors")
_KEPT_LINKAGES: Final = ("internal", "private", "appending", "available_externally")
_NOTHING: Final = re.compile(rf"^define\b[^@]*\bvoid {_NAME}\(.*\{{$")
_EMPTIED: Final = "ir-emptied"
#: aliases and ifuncs: nothing hides them
_INDIRECT: Final = re.compile(rf"^{_NAME} = (?:[\w()]+ )*(?:alias|ifunc) ")
_GRAPH: Final = "symbol-graph-2"
_SLICE: Final = "ir-slice"


@dataclass(frozen=True, slots=True)
class IrPart:
    """A module of a library: its name for messages, and bitcode that this LLVM reads."""

    name: str
    bitcode: bytes

    def key(self) -> str:
        """Names what is derived from it."""
        facts = (installed_version("llvmlite"), hashlib.sha256(self.bitcode).hexdigest())
        return hashlib.sha256(repr(facts).encode()).hexdigest()


@dataclass(slots=True)
class SymbolGraph:
    """Names of a module's definitions, those seen by others, and what each mentions.

    keepers: definitions that stay in a module that is linked at all.
    """

    uses: dict[str, list[str]] = field(default_factory=dict)
    exported: set[str] = field(default_factory=set)
    keepers: set[str] = field(default_factory=set)


def sliced(
    parts: Sequence[IrPart], wanted: Iterable[str], cache: Cache, emptied: str = ""
) -> list[IrPart]:
    """The parts that are needed, each with what is needed of it, in their order.

    emptied: a pattern of functions that shall do nothing, where they return nothing.
    """
    if emptied:
        parts = [_kept_emptied(part, emptied, cache) for part in parts]
    graphs = [_kept_graph(part, cache) for part in parts]
    kept = reached(graphs, wanted)
    return [_kept_slice(part, names, cache)
            for part, names in zip(parts, kept, strict=True) if names]  # fmt: skip


def reached(graphs: Sequence[SymbolGraph], wanted: Iterable[str]) -> list[set[str]]:
    """For each module the exported names that code outside of it leads to.

    The first module that exports a name gives it, as for a linker.
    """
    owner: dict[str, int] = {}
    for number, graph in enumerate(graphs):
        for name in graph.exported:
            owner.setdefault(name, number)
    kept: list[set[str]] = [set() for _ in graphs]
    seen: set[tuple[int, str]] = set()
    linked: set[int] = set()
    waiting = [(owner[name], name) for name in wanted if name in owner]
    for number, name in waiting:
        kept[number].add(name)
    while waiting:
        at = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        number, name = at
        if number not in linked:
            linked.add(number)
            waiting += [(number, one) for one in graphs[number].keepers]
        for used in graphs[number].uses.get(name, ()):
            if used in graphs[number].uses:
                waiting.append((number, used))
            elif used in owner:
                kept[owner[used]].add(used)
                waiting.append((owner[used], used))
    return kept


def symbol_graph(text: str) -> SymbolGraph:
    """The graph of a module's text, as LLVM prints it."""
    graph = SymbolGraph()
    current: list[str] | None = None
    for line in text.splitlines():
        if current is not None:
            if line == "}":
                current = None
            elif "@" in line:
                current += _names(line)
            continue
        found = None if _DECLARED.match(line) else _DEFINED.match(line)
        if found is None:
            continue
        name = _plain(found[1] or found[2])
        uses = _names(line[found.end() :])
        graph.uses[name] = uses
        if not _LOCAL.search(line) and not name.startswith("llvm."):
            graph.exported.add(name)
        if name in _KEEPERS or _INDIRECT.match(line):
            graph.keepers.add(name)
        if line.startswith("define"):
            current = uses
    graph.uses = {name: sorted(set(uses)) for name, uses in graph.uses.items()}
    return graph


def _names(line: str) -> list[str]:
    return [_plain(name) for name in _USED.findall(line)]


def _plain(name: str) -> str:
    if not name.startswith('"'):
        return name
    return _ESCAPE.sub(lambda one: chr(int(one[1], 16)), name[1:-1])


def _kept_graph(part: IrPart, cache: Cache) -> SymbolGraph:
    key = part.key()
    known = cache.get(_GRAPH, key)
    if known is None:
        from llvmlite.binding import create_context, parse_bitcode

        graph = symbol_graph(str(parse_bitcode(part.bitcode, create_context())))
        known = json.dumps([graph.uses, sorted(graph.exported), sorted(graph.keepers)]).encode()
        cache.put(_GRAPH, key, known)
    uses, exported, keepers = json.loads(known)
    return SymbolGraph(uses, set(exported), set(keepers))


def _kept_emptied(part: IrPart, pattern: str, cache: Cache) -> IrPart:
    key = hashlib.sha256(repr((part.key(), pattern)).encode()).hexdigest()
    known = cache.get(_EMPTIED, key)
    if known is None:
        known = _emptied(part.bitcode, pattern)
        cache.put(_EMPTIED, key, known)
    return IrPart(part.name, known)


def _emptied(bitcode: bytes, pattern: str) -> bytes:
    from llvmlite.binding import create_context, parse_assembly, parse_bitcode

    module = parse_bitcode(bitcode, create_context())
    wanted = re.compile(pattern)
    if not any(wanted.search(one.name) for one in module.functions if not one.is_declaration):
        return bitcode
    made: bytes = parse_assembly(without_bodies(str(module), wanted), create_context()).as_bitcode()
    return made


def without_bodies(text: str, pattern: re.Pattern[str]) -> str:
    """The text with functions that return at once in the place of those of the pattern."""
    kept: list[str] = []
    is_left_out = False
    for line in text.split("\n"):
        found = _NOTHING.match(line)
        if found is not None and pattern.search(_plain(found[1])):
            kept += [line, "  ret void"]
            is_left_out = True
        is_left_out = is_left_out and line != "}"
        if not is_left_out:
            kept.append(line)
    return "\n".join(kept)


def _kept_slice(part: IrPart, names: set[str], cache: Cache) -> IrPart:
    key = hashlib.sha256(repr((part.key(), sorted(names))).encode()).hexdigest()
    known = cache.get(_SLICE, key)
    if known is None:
        known = _slice(part.bitcode, names)
        cache.put(_SLICE, key, known)
    return IrPart(part.name, known)


def _slice(bitcode: bytes, names: set[str]) -> bytes:
    """The module with only `names` seen from outside, and what they need."""
    from llvmlite.binding import create_context, parse_bitcode
    from llvmlite.binding.newpassmanagers import (
        PipelineTuningOptions,
        create_new_module_pass_manager,
        create_pass_builder,
    )

    from irsan.engine.target import target_machine

    module = parse_bitcode(bitcode, create_context())
    for value in (*module.functions, *module.global_variables):
        if _is_hidden_by(value, names):
            value.linkage = "internal"
    manager = create_new_module_pass_manager()
    manager.add_global_dead_code_eliminate_pass()
    manager.add_strip_dead_prototype_pass()
    manager.run(module, create_pass_builder(target_machine(), PipelineTuningOptions()))
    kept: bytes = module.as_bitcode()
    return kept


def _is_hidden_by(value: object, names: Mapping[str, object] | set[str]) -> bool:
    """Whether a definition is seen from outside, and not wanted there."""
    name, linkage = str(value.name), value.linkage.name  # type: ignore[attr-defined]
    if value.is_declaration or name.startswith("llvm."):  # type: ignore[attr-defined]
        return False
    return name not in names and linkage not in _KEPT_LINKAGES
