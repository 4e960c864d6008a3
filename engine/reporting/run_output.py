"""Where the text of a run goes, and how it looks: the flags' wishes, and the run's own token."""

from __future__ import annotations

import os

from irsan.engine.options import RunOptions
from irsan.reports.model.report import Tool
from irsan.reports.sink import ReportSink
from irsan.reports.text.style import TextStyle, wants_color
from irsan.runtime.flags.flags import Flags
from irsan.runtime.flags.report_styles import report_styles


def open_sink(flags: Flags, options: RunOptions) -> ReportSink:
    """Standard error, or the log file that the flags name."""
    return ReportSink(
        flags.get_str("log_path"),
        os.getpid(),
        program=str(options.programs[0]),
        log_exe_name=flags.get_bool("log_exe_name"),
        log_suffix=flags.get_str("log_suffix"),
        fallback=flags.get_bool("log_fallback_to_stderr"),
    )


def styles_of_run(
    flags: Flags, options: RunOptions, token: str, *, is_terminal: bool
) -> dict[Tool, TextStyle]:
    """The styles of this process. token: what repeats the run"""
    return report_styles(
        flags,
        pid=os.getpid(),
        command=options.replay_words(),
        schedule=token,
        settings=options.replay_settings(),
        color=wants_color(flags.get_str("color"), is_terminal, options.environment),
        address="address" in options.sanitize,
    )
