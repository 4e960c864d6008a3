"""Each tool's findings are printed by its own flags."""

from __future__ import annotations

from irsan.reports.text.report import format_run
from irsan.runtime.flags.flags import Flags, parse_flags
from irsan.runtime.flags.report_styles import report_styles
from tests.reports import samples


def test_each_tool_listens_to_its_own_variable() -> None:
    environment = {
        "ASAN_OPTIONS": "print_legend=0:symbolize=0",
        "LSAN_OPTIONS": "report_objects=1",
        "IRSAN_OPTIONS": "report_style=compat",
    }
    styles = report_styles(parse_flags(environment).flags, pid=3, address=False)
    asan, tsan, lsan = (styles[t] for t in ("AddressSanitizer", "ThreadSanitizer", "LeakSanitizer"))
    assert (asan.print_legend, asan.symbolize) == (False, False)
    assert (tsan.symbolize, lsan.symbolize, lsan.report_objects) == (True, False, True)
    assert {s.report_style for s in styles.values()} == {"compat"}
    assert {s.leak_host for s in styles.values()} == {"LeakSanitizer"}


def test_defaults_print_what_a_converted_file_prints() -> None:
    report = samples.report(*samples.LEAKS, *samples.RACES.values(), *samples.MEMORY.values())
    command = (report.program, *report.arguments)
    styles = report_styles(Flags(), pid=report.pid, command=command, schedule=report.schedule)
    assert format_run(report, styles) == format_run(report)
