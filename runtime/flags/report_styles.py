"""Flags to text styles: what each tool's flags mean for the printing of its findings."""

from __future__ import annotations

from irsan.reports.model.report import Tool
from irsan.reports.text.style import TextStyle
from irsan.runtime.flags.flags import TOOL_OWNERS, Flags


def report_styles(
    flags: Flags,
    *,
    pid: int = 0,
    command: tuple[str, ...] = (),
    schedule: str = "",
    settings: tuple[str, ...] = (),
    color: bool = False,
    address: bool = True,
) -> dict[Tool, TextStyle]:
    """One style per tool, for `irsan.reports.text.report`.

    `command` is the program and its arguments, `schedule` the token and `settings` the environment
    of the replay line;
    `color` is the decision of `wants_color`; `address`: memory errors were looked for, so that
    leaks are summed up in AddressSanitizer's name, as natively.
    """
    return {
        tool: TextStyle.from_flags(
            flags.tool(owner).as_mapping(),
            pid=pid,
            command=command,
            schedule=schedule,
            settings=settings,
            color=color,
            leak_host="AddressSanitizer" if address else "LeakSanitizer",
        )
        for tool, owner in TOOL_OWNERS.items()
    }
