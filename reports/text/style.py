"""How text is to look: the flags that matter to printers, as one frozen value, and colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal

ReportStyle = Literal["native", "compat"]
Ink = Literal["header", "access", "location", "allocation", "warning", "poison", "gone", "user"]

_RESET = "\033[0m"
_INKS: Mapping[str, str] = {
    "header": "\033[1;31m",
    "access": "\033[1;34m",
    "location": "\033[1;32m",
    "allocation": "\033[1;35m",
    "warning": "\033[1;33m",
    "poison": "\033[31m",
    "gone": "\033[35m",
    "user": "\033[34m",
}


@dataclass(frozen=True, slots=True)
class TextStyle:
    """Everything a text printer may ask. Fields up to `source_snippets` are flags by name.

    `pid` is printed in headers. `command` is the program and its arguments, `schedule` the
    token and `settings` the environment (NAME=value) of the replay line. `color` decides on
    escape sequences and source snippets.
    `leak_host` is the tool that SUMMARY of a leak report names.
    """

    symbolize: bool = True
    strip_path_prefix: str = ""
    demangle: bool = True
    symbolize_inline_frames: bool = True
    symbolize_vs_style: bool = False
    dedup_token_length: int = 0
    stack_trace_format: str = "DEFAULT"
    print_summary: bool = True
    print_legend: bool = True
    print_scariness: bool = False
    dump_registers: bool = True
    print_full_thread_history: bool = True
    print_stacktrace: bool = False
    report_error_type: bool = False
    report_objects: bool = False
    max_leaks: int = 0
    report_style: ReportStyle = "native"
    print_replay: bool = True
    source_snippets: bool = True
    show_library_frames: bool = False
    template_width: int = 60
    pid: int = 0
    command: tuple[str, ...] = ()
    schedule: str = ""
    settings: tuple[str, ...] = ()
    color: bool = False
    leak_host: str = "LeakSanitizer"

    @classmethod
    def from_flags(
        cls,
        values: Mapping[str, bool | int | str],
        *,
        pid: int = 0,
        command: tuple[str, ...] = (),
        schedule: str = "",
        settings: tuple[str, ...] = (),
        color: bool = False,
        leak_host: str = "LeakSanitizer",
    ) -> TextStyle:
        """Style of one tool from its flags: name to value; names without a field are ignored."""
        facts = {"pid", "command", "schedule", "settings", "color", "leak_host"}
        names = {f.name for f in fields(cls)} - facts
        picked = {name: value for name, value in values.items() if name in names}
        return cls(
            **picked,  # type: ignore[arg-type]
            pid=pid,
            command=command,
            schedule=schedule,
            settings=settings,
            color=color,
            leak_host=leak_host,
        )

    def paint(self, ink: Ink, text: str) -> str:
        """Colour `text`, or leave it alone."""
        return f"{_INKS[ink]}{text}{_RESET}" if self.color else text


def wants_color(mode: str, is_terminal: bool, environment: Mapping[str, str]) -> bool:
    """Decide on colour: `mode` is the color flag; NO_COLOR beats auto, and auto asks the stream."""
    if mode in ("always", "never"):
        return mode == "always"
    return is_terminal and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
