"""Global variables, aliases, ifuncs, comdats and type definitions as text.

Source: the LLVM Language Reference, "Global Variables", "Aliases", "IFuncs", "Comdats", "Structure
Types".
"""

from __future__ import annotations

from irsan.ir.metadata import Attachments
from irsan.ir.printing.attributes import AttributeTexts
from irsan.ir.text import escape_name, quote_name
from irsan.ir.types import PointerType, StructType
from irsan.ir.values import Alias, Comdat, GlobalObject, GlobalValue, GlobalVariable, IFunc


def type_definition(struct: StructType) -> str:
    """`%name = type { ... }`."""
    return f"{struct.text} = type {struct.body_text}"


def comdat_definition(comdat: Comdat) -> str:
    """`$name = comdat any`."""
    return f"${quote_name(comdat.name)} = comdat {comdat.selection}"


def attachments_text(metadata: Attachments, separator: str) -> str:
    """`, !dbg !5` for each attachment."""
    return "".join([f"{separator}!{_kind_name(kind)} !{node.number}" for kind, node in metadata])


def _kind_name(kind: str) -> str:
    if kind.replace("_", "").replace(".", "").replace("-", "").isalnum() and kind.isascii():
        return kind
    return "".join([c if c.isalnum() or c in "-$._" else f"\\{ord(c):02X}" for c in kind])


def is_implicitly_local(value: GlobalValue) -> bool:
    """Whether dso_local follows from linkage or visibility, so that it is not written."""
    if value.has_local_linkage:
        return True
    return bool(value.visibility) and value.linkage != "extern_weak"


def linkage_words(value: GlobalValue) -> list[str]:
    """Linkage (external is silent), dso_local, visibility and DLL storage."""
    words = [value.linkage] if value.linkage != "external" else []
    if value.dso_local and not is_implicitly_local(value):
        words.append("dso_local")
    words += [word for word in (value.visibility, value.dll_storage) if word]
    return words


def _thread_local_words(value: GlobalValue) -> list[str]:
    if not value.thread_local:
        return []
    general = value.thread_local == "generaldynamic"
    return ["thread_local" if general else f"thread_local({value.thread_local})"]


def placement_words(value: GlobalObject) -> list[str]:
    """Section and partition."""
    words = [f'section "{escape_name(value.section)}"'] if value.section else []
    words += [f'partition "{escape_name(value.partition)}"'] if value.partition else []
    return words


def comdat_words(value: GlobalObject) -> list[str]:
    """`comdat`, with its name when that differs from the symbol's."""
    if value.comdat is None:
        return []
    same = value.comdat.name == value.name
    return ["comdat" if same else f"comdat(${quote_name(value.comdat.name)})"]


def global_definition(variable: GlobalVariable, texts: AttributeTexts) -> str:
    """The definition or declaration of a variable."""
    external = variable.initializer is None and variable.linkage == "external"
    words = ["external"] if external else []
    words += linkage_words(variable) + _thread_local_words(variable)
    words += [variable.unnamed_addr] if variable.unnamed_addr else []
    assert isinstance(variable.type, PointerType)
    space = variable.type.address_space
    words += [f"addrspace({space})"] if space else []
    words += ["externally_initialized"] if variable.externally_initialized else []
    words.append("constant" if variable.is_constant else "global")
    words.append(variable.value_type.text)
    if variable.initializer is not None:
        words.append(variable.initializer.ref)
    rest = placement_words(variable)
    rest += [f'code_model "{variable.code_model}"'] if variable.code_model else []
    rest += [*variable.sanitizer, *comdat_words(variable)]
    rest += [f"align {variable.alignment}"] if variable.alignment else []
    tail = "".join([f", {word}" for word in rest])
    tail += attachments_text(variable.metadata, ", ") + texts.group(variable.attributes)
    return f"{variable.ref} = {' '.join(words)}{tail}"


def indirect_definition(symbol: Alias | IFunc) -> str:
    """The definition of an alias or an ifunc."""
    words = linkage_words(symbol) + _thread_local_words(symbol)
    words += [symbol.unnamed_addr] if symbol.unnamed_addr else []
    word, target = (
        ("alias", symbol.aliasee) if isinstance(symbol, Alias) else ("ifunc", symbol.resolver)
    )
    assert target is not None
    words += [word, f"{symbol.value_type.text}, {target.typed_ref}"]
    partition = f', partition "{escape_name(symbol.partition)}"' if symbol.partition else ""
    return f"{symbol.ref} = {' '.join(words)}{partition}"
