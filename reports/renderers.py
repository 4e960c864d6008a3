"""Report formats by name. A new one is a module with a function and a line in `_RENDERERS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from irsan.errors import UsageError

if TYPE_CHECKING:
    from irsan.reports.model.report import Report

Renderer = Callable[["Report"], str]

# name -> (module, function): modules are imported when asked for, so that help stays quick.
_RENDERERS: Mapping[str, tuple[str, str]] = {
    "text": ("irsan.reports.text.report", "format_run"),
    "json": ("irsan.reports.formats.json_report", "report_to_json"),
    "sarif": ("irsan.reports.formats.sarif", "report_to_sarif"),
    "junit": ("irsan.reports.formats.junit", "report_to_junit"),
    "html": ("irsan.reports.html.page", "html_page"),
    "github": ("irsan.reports.formats.github", "report_to_github"),
    "gitlab": ("irsan.reports.formats.gitlab", "report_to_gitlab"),
    "gitlab-sast": ("irsan.reports.formats.gitlab", "report_to_gitlab_sast"),
    "valgrind-xml": ("irsan.reports.formats.valgrind_xml", "report_to_valgrind_xml"),
    "markdown": ("irsan.reports.formats.markdown", "report_to_markdown"),
    "perfetto": ("irsan.reports.formats.perfetto", "report_to_perfetto"),
}
_VERBATIM = "json"  # keeps everything that a report says, in escapes of its own
_PAGE = "html"  # has characters of its own that no terminal prints


def renderer_names() -> tuple[str, ...]:
    """Names that `renderer` knows, in order of their appearance in help."""
    return tuple(_RENDERERS)


def renderer(name: str) -> Renderer:
    """The function that turns a whole report into text of the format `name`.

    It is given a report whose strings are safe to print, and prints nothing else: only JSON is made
    from the report as it is. Raises UsageError, naming the formats there are.
    """
    if name not in _RENDERERS:
        known = ", ".join(renderer_names())
        raise UsageError(f"unknown report format {name!r}; choose one of: {known}")
    module, function = _RENDERERS[name]
    found: Renderer = getattr(import_module(module), function)
    if name == _VERBATIM:
        return found
    from irsan.reports.printable import cleaned, printable_lines

    if name == _PAGE:
        return lambda report: found(cleaned(report))
    return lambda report: printable_lines(found(cleaned(report)))
