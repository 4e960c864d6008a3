"""Report formats by name. A new one is a module with a function and a line in `_RENDERERS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from irsan.errors import UsageError

if TYPE_CHECKING:
    from irsan.reports.model import Report

Renderer = Callable[["Report"], str]

# name -> (module, function): modules are imported when asked for, so that help stays quick.
_RENDERERS: Mapping[str, tuple[str, str]] = {
    "text": ("irsan.reports.text", "format_run"),
    "json": ("irsan.reports.json_report", "report_to_json"),
}


def renderer_names() -> tuple[str, ...]:
    """Names that `renderer` knows, in order of their appearance in help."""
    return tuple(_RENDERERS)


def renderer(name: str) -> Renderer:
    """The function that turns a whole report into text of the format `name`.

    Raises UsageError, naming the formats there are.
    """
    if name not in _RENDERERS:
        known = ", ".join(renderer_names())
        raise UsageError(f"unknown report format {name!r}; choose one of: {known}")
    module, function = _RENDERERS[name]
    found: Renderer = getattr(import_module(module), function)
    return found
