"""Every module is reached by a test: tests/<room>/test_<module>.py, or one that imports it."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.meta.house import ROOT, source_files

# Rooms whose modules are loaded by name, all of them, by one module.
LOADED_WHOLE = {
    "irsan.engine.runtime_image.kernel_link": "irsan.runtime.kernels.",
    "irsan.interceptors.registry": "irsan.interceptors.",
}
# Modules of constants and plain records: whatever uses them tests them.
WITHOUT_TEST: frozenset[str] = frozenset()


def module_name(path: Path) -> str:
    """irsan.ir.types for ir/types.py, irsan.cli.app for irsan/cli/app.py, irsan.ir for
    ir/__init__.py."""
    relative = path.relative_to(ROOT)
    parts = relative.parent.parts if path.stem == "__init__" else relative.with_suffix("").parts
    return ".".join(parts if parts[0] == "irsan" else ("irsan", *parts))


def imports(path: Path) -> set[str]:
    """Every irsan module a file imports or names, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)  # registries name modules that are imported when needed
    return {name for name in found if name.startswith("irsan")}


def has_own_test(path: Path) -> bool:
    """Whether tests/ mirrors the module."""
    folder = path.relative_to(ROOT).parent
    mirrored = Path("cli") if folder.parts[0] == "irsan" else folder
    return (ROOT / "tests" / mirrored / f"test_{path.stem.strip('_')}.py").exists()


def reached_by_tests() -> set[str]:
    """Modules that tests import, and what those import, to any depth."""
    imports_of = {module_name(path): imports(path) for path in source_files()}
    tests = (ROOT / "tests").rglob("*.py")
    waiting = {name for path in tests for name in imports(path)}
    reached: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in imports_of and name not in reached:
            reached.add(name)
            waiting |= imports_of[name]
            if room := LOADED_WHOLE.get(name):
                waiting |= {module for module in imports_of if module.startswith(room)}
    return reached


def test_every_module_is_reached_by_a_test() -> None:
    reached = reached_by_tests()
    untested = [
        str(path.relative_to(ROOT))
        for path in source_files()
        if path.stem != "__init__"
        and not has_own_test(path)
        and module_name(path) not in reached | WITHOUT_TEST
    ]
    assert untested == []
