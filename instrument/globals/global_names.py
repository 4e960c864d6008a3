"""Source names of globals, for reports: linkage name -> (name, file, line) from debug info.

    "counter" -> ("counter", "/src/a.c", 3)        a global variable
    "main()"  -> ("main", "/src/a.c", 9)           a function that keeps its address in its frames
"""

from __future__ import annotations

from irsan.instrument.globals.global_descriptors import source_place
from irsan.instrument.sites.debug_types import variable_node
from irsan.instrument.sites.source_frames import scope_file
from irsan.ir.metadata import DebugNode
from irsan.ir.module import Module

GlobalNames = dict[str, tuple[str, str, int]]


def global_names(module: Module) -> GlobalNames:
    """Every global of `module` that debug info knows."""
    found: GlobalNames = {}
    for variable in module.globals:
        node = dict(variable.metadata).get("dbg")
        described = variable_node(node)
        if described is not None:
            found[variable.name] = (described.string("name"), *source_place(variable))
    found.update(_functions(module))
    return found


def _functions(module: Module) -> GlobalNames:
    """Functions by their scope's line: instrumented frames say whose they are."""
    found: GlobalNames = {}
    for function in module.functions:
        described = dict(function.metadata).get("dbg")
        if function.blocks and isinstance(described, DebugNode):
            line = described.get("scopeLine")
            place = (scope_file(described), line if isinstance(line, int) else 0)
            found[f"{function.name}()"] = (function.name, *place)
    return found

