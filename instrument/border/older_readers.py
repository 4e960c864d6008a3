"""Output that clang 19 can read: what LLVM 20 to 22 added to the IR is said in older words or left.

    captures(none)                                  nocapture
    lifetime.start(ptr %x)                          lifetime.start(i64 -1, ptr %x)
    ptrtoaddr ptr %x to i64                         ptrtoint ptr %x to i64
    memory(errnomem: write)                         memory(write)
    DW_LNAME_C                                      DW_LANG_C11
    "-avx10.1" of a plain x86-64                    left out: it is not there anyway
    samesign, captures(address), initializes(...), atomGroup, ...      left out

Newer LLVM upgrades the older words while it reads, so one output serves all. Everything left out
is a hint for optimisers or debuggers.

Source: the release notes of LLVM 20, 21 and 22, "Changes to the LLVM IR".
Deviations: operations that have no older words stay and are refused by the older reader:
`usub_cond`, masked accesses of LLVM 22, subrange types of Ada.
Soundness: leaving a hint out, or claiming more effects, allows fewer optimisations, never more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from irsan.ir.attributes import Attribute, AttributeList, AttributeSet, string_attribute
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.constants import ConstantInt
from irsan.ir.dwarf import LANGUAGE_NAMES
from irsan.ir.instruction import Instruction
from irsan.ir.metadata import DebugNode, DILocation, Metadata, MetadataNode
from irsan.ir.module import Module
from irsan.ir.operations import Cast, ICmp
from irsan.ir.types import PointerType
from irsan.ir.values import Function, Value

_NEWER_ATTRIBUTES = frozenset((
    "initializes", "sanitize_realtime_blocking", "coro_elide_safe", "noext", "nodivergencesource",
    "sanitize_type", "dead_on_return", "sanitize_alloc_token", "nocreateundeforpoison",
))  # fmt: skip
_CHANGED_ATTRIBUTES = _NEWER_ATTRIBUTES | {"captures", "memory"}
_NEWER_FIELDS = {
    "DIBasicType": ("num_extra_inhabitants", "dataSize"),
    "DICompositeType": ("num_extra_inhabitants", "specification", "enumKind", "bitStride"),
    "DISubprogram": ("keyInstructions",),
    "DILabel": ("column", "isArtificial", "coroSuspendIdx"),
}
_OLDER_LANGUAGES = {"C": 0x1D, "C_plus_plus": 0x21}  # DW_LANG_C11, DW_LANG_C_plus_plus_14
_FALLBACK_LANGUAGE = 0x0C  # DW_LANG_C99
_LIFETIMES = ("llvm.lifetime.start", "llvm.lifetime.end")
# two bits per location in the value of `memory`: argmem, inaccessiblemem, errnomem, other, target
_OLD_LOCATIONS = 0b1111
_ERRNO, _OTHER, _TARGETS = 2, 3, (4, 5)


@dataclass(frozen=True, slots=True)
class OlderReaders:
    """Rewrites a whole module; run it last."""

    def apply(self, module: Module) -> None:
        """Change every newer word."""
        lifetimes = _older_lifetimes(module)
        attributes: dict[int, tuple[AttributeList, AttributeList]] = {}
        roots: list[Metadata | None] = []
        for function in module.functions:
            function.attributes = _older_list(function.attributes, attributes)
            for block in function.blocks:
                for instruction in block.instructions:
                    _rewrite(instruction, attributes, lifetimes)
                    roots += _metadata_of(instruction)
        for value in (*module.functions, *module.globals):
            roots += [node for _, node in value.metadata]
        for named in module.named_metadata.values():
            roots += named.operands
        _rewrite_metadata(roots)


def _rewrite(
    instruction: Instruction,
    attributes: dict[int, tuple[AttributeList, AttributeList]],
    lifetimes: dict[Value, tuple[Function, Value]],
) -> None:
    """One instruction, in place."""
    if isinstance(instruction, (Call, CallTerminator)):
        instruction.attributes = _older_list(instruction.attributes, attributes)
        renewed = lifetimes.get(instruction.operands[0])
        if renewed is not None:
            callee, size = renewed
            instruction.operands[:] = [callee, size, instruction.operands[1]]
            instruction.function_type = callee.function_type
            kept = ((), *instruction.attributes.parameters)
            instruction.attributes = replace(instruction.attributes, parameters=kept)
    elif isinstance(instruction, ICmp):
        instruction.flags = tuple([flag for flag in instruction.flags if flag != "samesign"])
    elif isinstance(instruction, Cast) and instruction.opcode == "ptrtoaddr":
        instruction.opcode = "ptrtoint"


def _older_lifetimes(module: Module) -> dict[Value, tuple[Function, Value]]:
    """One-argument declarations by what replaces them: the two-argument form, an unknown size."""
    found: dict[Value, tuple[Function, Value]] = {}
    types = module.types
    module.functions[:] = [each for each in module.functions if not _is_leftover(each)]
    for index, old in enumerate(module.functions):
        if not old.name.startswith(_LIFETIMES) or len(old.function_type.parameters) != 1:
            continue
        signature = types.function(types.void, [types.i64, *old.function_type.parameters])
        new = Function(types.ptr_default, signature, old.name)
        parameters = ((Attribute("immarg"),), *old.attributes.parameters)
        new.attributes = replace(old.attributes, parameters=parameters)
        module.functions[index] = new
        found[old] = (new, ConstantInt(types.i64, -1))
    module.reindex()
    return found


def _is_leftover(function: Function) -> bool:
    """A declaration that LLVM leaves behind when it upgrades the two-argument form: of no use."""
    is_lifetime = function.name.startswith(_LIFETIMES)
    return is_lifetime and not isinstance(function.function_type.parameters[-1], PointerType)


def _older_list(
    old: AttributeList, known: dict[int, tuple[AttributeList, AttributeList]]
) -> AttributeList:
    """Lists are shared by many calls: each is rewritten once, and found again by identity."""
    found = known.get(id(old))
    if found is None:
        parameters = tuple([_older_set(attributes) for attributes in old.parameters])
        new = AttributeList(_older_set(old.function), _older_set(old.returns), parameters)
        found = known[id(old)] = (old, new)
    return found[1]


def _older_set(attributes: AttributeSet) -> AttributeSet:
    found = []
    is_plain = string_attribute("target-cpu", "x86-64") in attributes
    for attribute in attributes:
        if attribute.kind == "target-features" and is_plain:
            found.append(replace(attribute, value=_only_present(str(attribute.value))))
        elif attribute.is_string or attribute.kind not in _CHANGED_ATTRIBUTES:
            found.append(attribute)
        elif attribute.kind == "captures" and attribute.value == 0:
            found.append(Attribute("nocapture"))
        elif attribute.kind == "memory":
            assert isinstance(attribute.value, int)
            found.append(Attribute("memory", _older_effects(attribute.value)))
    return tuple(found)


def _only_present(features: str) -> str:
    """What a plain processor has besides; it lacks all else, named or not."""
    return ",".join([feature for feature in features.split(",") if feature.startswith("+")])


def _older_effects(value: int) -> int:
    """Effects on locations that have a name of their own since, as effects on "other"."""
    others = 0
    for location in (_ERRNO, _OTHER, *_TARGETS):
        others |= value >> 2 * location & 3
    spread = sum(others << 2 * location for location in (_ERRNO, _OTHER, *_TARGETS))
    return value & _OLD_LOCATIONS | spread


def _metadata_of(instruction: Instruction) -> list[Metadata | None]:
    found: list[Metadata | None] = [instruction.debug_location]
    found += [node for _, node in instruction.metadata]
    for record in instruction.debug_records:
        found += [record.debug_location, *record.operands]
    return found


def _rewrite_metadata(roots: list[Metadata | None]) -> None:
    """Everything that can be reached, in place."""
    seen: set[int] = set()
    while roots:
        node = roots.pop()
        if not isinstance(node, MetadataNode) or id(node) in seen:
            continue
        seen.add(id(node))
        roots += node.metadata_operands()
        if isinstance(node, DILocation):
            node.atom_group = node.atom_rank = 0
        elif isinstance(node, DebugNode):
            _rewrite_node(node)


def _rewrite_node(node: DebugNode) -> None:
    for field in _NEWER_FIELDS.get(node.kind, ()):
        node.fields.pop(field, None)
    name = node.fields.pop("sourceLanguageName", None)
    if name:
        node.fields.pop("sourceLanguageVersion", None)
        language = _OLDER_LANGUAGES.get(LANGUAGE_NAMES.get(name, ""), _FALLBACK_LANGUAGE)
        node.fields["language"] = language
