"""Findings as they come: deduplicated, suppressed, printed at once, kept for the other formats."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irsan.engine.findings.races.race_filters import RaceFilter
from irsan.engine.guest.machine import Outcome
from irsan.engine.options import RunOptions
from irsan.engine.replay import replay_token
from irsan.engine.reporting.report_extras import (
    allocator_statistics,
    log_to_system,
    module_map,
    sleep_for,
)
from irsan.engine.reporting.report_files import ReportFiles
from irsan.engine.reporting.report_writer import ReportWriter
from irsan.engine.reporting.run_gate import RunGate
from irsan.engine.reporting.run_output import open_sink, styles_of_run
from irsan.engine.reporting.run_report import RunReport, unfinished
from irsan.engine.reporting.suppression_files import read_suppressions
from irsan.reports.derived.same_cause import SameCause, counted, equal_stacks_key
from irsan.reports.derived.user_code import UserCode
from irsan.reports.model.report import (
    AccessCount,
    Finding,
    InjectionFacts,
    Report,
    SignalFacts,
    SuppressionUse,
    Tool,
)
from irsan.reports.sink import ReportSink
from irsan.reports.text.injected import format_injected
from irsan.reports.text.leak import format_leaks
from irsan.reports.text.report import (
    Styles,
    format_closing,
    format_finding,
    format_same_cause,
    format_suppressions,
)
from irsan.reports.text.statistics import format_access_counts
from irsan.reports.text.style import TextStyle
from irsan.runtime import arena
from irsan.runtime.flags.flags import TOOL_OWNERS, Flags, FlagView, exit_status_after
from irsan.runtime.flags.suppressions import Suppressions, parse_suppressions
from irsan.runtime.layout import memory_map
from irsan.runtime.records.context import CONTEXT_DTYPE

if TYPE_CHECKING:
    from irsan.engine.run.prepared import Stages

_SUMMARY = "SUMMARY: "


@dataclass(frozen=True, slots=True)
class _RunWords:
    """What is said of a run in its reports: facts, and styles that know its token and number."""

    facts: RunReport
    styles: Styles


class FindingsRecorder:
    """Everything found in one run, and what becomes of it."""

    def __init__(
        self, options: RunOptions, flags: Flags, program_hash: str, stages: Stages
    ) -> None:
        self.flags = flags
        self.findings: list[Finding] = []
        self.statistics: tuple[AccessCount, ...] = ()
        self.explained: Callable[[Finding], Finding] = lambda finding: finding
        self.injection: Callable[[], InjectionFacts | None] = lambda: None
        self.survives_uninitialised: bool | None = None  # what the program itself has said
        self._program_hash, self._stages = program_hash, stages
        self._seen: set[Hashable] = set()
        self._race_filter = RaceFilter(flags.tsan)
        self._causes = SameCause()
        self._last: Finding | None = None
        self.user_code = UserCode.from_flag(flags.get_str("library_frames"))
        self._has_failed: bool | None = None
        self._is_child = False
        folder = Path.cwd()  # the program may leave it
        self._gate = RunGate(options.gate, options.programs, folder)
        self._options, self._leaves_summaries = options, False
        self._options_of_schedule: Callable[[], RunOptions] = lambda: options
        self._made_words: _RunWords | None = None
        self._suppressions = Suppressions(read_suppressions(flags, options.programs[0].parent))
        self._writer = ReportWriter(options.reports, folder)
        self._open_output()
        self._prints_text = any(r.format == "text" and r.path is None for r in options.reports)

    def start_schedule(self, options: Callable[[], RunOptions]) -> None:
        """This process is a fork for one more schedule of the program; nothing was found yet.

        options: asked when something is said of the run
        """
        self._options_of_schedule, self._made_words = options, None

    @property
    def _words(self) -> _RunWords:
        """Made when they are asked for first: a schedule without findings needs none."""
        if self._made_words is not None:
            return self._made_words
        self._options = self._options_of_schedule()
        self._made_words = made = self._make_words()
        return made

    def _make_words(self) -> _RunWords:
        options = self._options
        token = str(replay_token(options, self._program_hash))
        styles = styles_of_run(
            self.flags, options, token, is_terminal=self._sink.is_terminal
        )  # fmt: skip
        if self._leaves_summaries:
            tool: Tool = "AddressSanitizer"
            styles = {**styles, tool: replace(styles[tool], print_summary=False)}
        return _RunWords(RunReport(options, self._stages, token), styles)

    def start_child(self) -> None:
        """This process is a fork: its findings are its own, its report files end in its pid."""
        self.findings.clear()
        self._seen.clear()
        self._race_filter = RaceFilter(self.flags.tsan)
        self._causes, self._last = SameCause(), None
        self._gate.start_child()
        self._is_child = True
        self._open_output()

    def _open_output(self) -> None:
        self._sink = open_sink(self.flags, self._options)
        self._made_words = self._make_words()

    def add(self, finding: Finding, before_text: Callable[[], None] | None = None) -> bool:
        """Take a finding; true when the run must stop for it.

        before_text: called when the finding is taken, before its text is printed.
        """
        finding = self.user_code.marked(self.explained(finding))
        if self._suppressions.suppress(finding) is not None or self._is_silenced(finding):
            return False
        if self._gate.hides(finding):
            return False
        self._last = finding
        view = self.flags.tool(TOOL_OWNERS[finding.tool])
        must_stop = self._must_stop_for(finding, view)
        if self._is_counted(finding, must_stop=must_stop):
            return must_stop
        self.findings.append(finding)
        if before_text is not None:
            before_text()
        if not must_stop:
            self._write_early()
        if self._prints_text:
            if view.get_bool("print_cmdline"):
                words = (str(self._options.programs[0]), *self._options.arguments)
                self._sink.write(f"\nCommand: {' '.join(words)}\n\n")
            self._sink.write(self.text_of(finding))
        return must_stop

    @staticmethod
    def _must_stop_for(finding: Finding, view: FlagView) -> bool:
        if finding.verdict != "bug":
            return False
        if finding.tool in ("GWP-ASan", "MemorySanitizer"):
            return finding.fatal
        return bool(view.as_mapping().get("halt_on_error", False))

    def _is_counted(self, finding: Finding, *, must_stop: bool) -> bool:
        """Whether a finding has the cause of an earlier one, which now counts for both."""
        flag = (
            "suppress_equal_stacks" if finding.tool == "ThreadSanitizer" else "suppress_equal_pcs"
        )
        if not self.flags.tool(TOOL_OWNERS[finding.tool]).get_bool(flag):
            return False
        number = self._causes.number_of(finding, len(self.findings))
        if number == len(self.findings):
            return False
        first = self.findings[number] = counted(self.findings[number], finding)
        if not must_stop and first.count.bit_count() == 1:  # 2, 4, 8: not at every one of many
            self._write_early()
        if must_stop and self._prints_text:
            self._sink.write(format_same_cause(finding, first, self._words.styles[finding.tool]))
        return True

    def suppresses(self, finding: Finding) -> bool:
        """Whether a suppression hides a finding; it is counted."""
        return self._suppressions.suppress(finding) is not None

    def add_suppressions(self, text: str, origin: str) -> None:
        """Suppressions that the program brings along; UsageError for a line that is none."""
        known = self._suppressions.entries
        self._suppressions.entries = tuple(dict.fromkeys(known + parse_suppressions(text, origin)))

    def add_leaks(self, findings: Sequence[Finding]) -> None:
        """Take what a leak search has found, as one report; the same may be found again."""
        marked = (self.user_code.marked(self.explained(finding)) for finding in findings)
        findings = [finding for finding in marked if not self._gate.hides(finding)]
        self.findings += findings
        if not self._prints_text:
            return
        uses = [use for use in self._suppressions.uses() if use.tool == "LeakSanitizer"]
        shown = uses if self.flags.lsan.get_bool("print_suppressions") else []
        style = self._words.styles["LeakSanitizer"]
        self._sink.write(format_leaks(findings, style, shown))
        self._sink.write("".join(format_injected(finding, style) for finding in findings[:1]))

    def _is_silenced(self, finding: Finding) -> bool:
        """Whether the same has been reported, or race reports are off."""
        is_thread = finding.tool == "ThreadSanitizer"
        if is_thread and self._race_filter.hides(finding):
            return True
        key = equal_stacks_key(finding)
        is_seen = key in self._seen
        self._seen.add(key)
        if is_thread:
            return is_seen and self.flags.tsan.get_bool("suppress_equal_stacks")
        return is_seen and self.flags.get_bool("suppress_equal_pcs")

    def ends_by_abort(self, outcome: Outcome) -> bool:
        """Whether a run that is stopped for its last finding ends by SIGABRT."""
        if self._is_child and outcome.signal == signal.SIGABRT:
            return True  # whoever has forked asks how the child has died
        if self._last is None:
            return False
        is_told = isinstance(self._last.details, SignalFacts)
        if not (outcome.is_stopped or (outcome.signal and is_told)):
            return False
        owner = TOOL_OWNERS[self._last.tool]
        return self.flags.tool(owner).get_bool("abort_on_error")

    def text_of(self, finding: Finding) -> str:
        """A finding as it is printed."""
        finding = self.user_code.marked(finding)
        return format_finding(finding, self._words.styles[finding.tool])

    def add_extras(self, ctx: Any, finding: Finding, *, ends: bool) -> None:
        """What flags want to see after a report; `ends`: the program ends by it."""
        flags = self.flags
        if flags.get_bool("log_to_syslog"):
            log_to_system(self.text_of(finding))
        if flags.asan.get_bool("print_stats"):
            self.write("\n".join([*allocator_statistics(ctx), ""]))
        if flags.get_int("print_module_map") > 1:
            self.write("\n".join([*module_map(str(self._options.programs[0])), ""]))
        if ends:
            sleep_for(flags, "sleep_before_dying", self.write)

    def summary_of(self, finding: Finding) -> str:
        """The words of a finding's SUMMARY line."""
        style = replace(self._words.styles[finding.tool], print_summary=True, color=False)
        lines = format_finding(self.user_code.marked(finding), style).splitlines()
        found = [line for line in lines if line.startswith(_SUMMARY)]
        return found[-1].removeprefix(_SUMMARY) if found else ""

    def leave_summaries(self) -> None:
        """From now on the program prints the SUMMARY lines of memory errors itself."""
        self._leaves_summaries, self._made_words = True, None

    def _write_extras_at_end(self) -> None:
        if self.flags.asan.get_bool("atexit"):
            ctx = arena.view_record(memory_map.CONTEXT_ADDR, CONTEXT_DTYPE)
            lines = ["AddressSanitizer exit stats:", *allocator_statistics(ctx), ""]
            self._sink.write("\n".join(lines))
        if self.flags.get_int("print_module_map") == 1:
            self._sink.write("\n".join([*module_map(str(self._options.programs[0])), ""]))

    @property
    def writes_data(self) -> bool:
        """Whether a report is wanted that shows more than text does."""
        return any(report.format != "text" for report in self._options.reports)

    @property
    def report_files(self) -> ReportFiles:
        """Descriptors of the files that reports go into."""
        return self._writer.files

    def write(self, text: str) -> None:
        """Put text that is no finding where findings go."""
        self._sink.write(text)

    @property
    def sanitizers(self) -> frozenset[str]:
        """What the run was asked for."""
        return self._options.sanitize

    def style(self, tool: Tool) -> TextStyle:
        """How findings of a tool are printed."""
        return self._words.styles[tool]

    def report_path(self) -> str:
        """Where text goes: a file name, or the name of a standard stream."""
        return str(self._sink.path) if self._sink.path else "stderr"

    def redirect(self, log_path: str, descriptor: int | None = None) -> None:
        """From now on text goes to log_path.PID, a standard stream, or an open descriptor."""
        self._sink.close()
        stream = None
        if descriptor is not None and not log_path:
            stream = os.fdopen(descriptor, "w", encoding="utf-8", closefd=False)
        self._sink = ReportSink(log_path, os.getpid(), stderr=stream)

    def is_asked_for(self, sanitizer: str) -> bool:
        """Whether the run was asked for a sanitizer, by its word."""
        return sanitizer in self._options.sanitize

    @property
    def has_races(self) -> bool:
        """Whether the race detector lets the run fail; the program may decide it at its end."""
        if self._has_failed is not None:
            return self._has_failed
        return any(f.tool == "ThreadSanitizer" and _changes_status(f) for f in self.findings)

    @has_races.setter
    def has_races(self, has_failed: bool) -> None:
        self._has_failed = has_failed

    def status_of_findings(self, program_status: int = 0) -> int:
        """The exit status of a run that ends now with the program's own `program_status`."""
        if self._gate.decides:
            failing = self._gate.failing(self._words.facts.named(self.findings, self._gate))
            bugs = [finding.tool for finding in failing if not _is_asked_about(finding)]
        else:
            bugs = [finding.tool for finding in self.findings if _changes_status(finding)]
        if self._has_failed is not None:
            bugs = [tool for tool in bugs if tool != "ThreadSanitizer"]
            bugs += ["ThreadSanitizer"] * self._has_failed
        return exit_status_after(self.flags, bugs, program_status)

    def status_after(self, outcome: Outcome) -> int:
        """The exit status of a run that ends like this."""
        if self.ends_by_abort(outcome):
            return 128 + signal.SIGABRT
        program_status = 128 + outcome.signal if outcome.signal else outcome.status
        return self.status_of_findings(program_status)

    def finish(self, outcome: Outcome) -> int:
        """Write what comes at the end; returns the exit status of the run."""
        status = self.status_after(outcome)
        if self._prints_text:
            self._sink.write(format_closing(self.findings))
            if self._gate.decides:
                named = self._words.facts.named(self.findings, self._gate)
                self._sink.write(self._gate.closing(named))
            self._sink.write(format_access_counts(self.statistics, os.getpid()))
            if self.flags.tsan.get_bool("print_suppressions") and self._suppressions.uses():
                self._sink.write(format_suppressions(self._suppressions.uses(), os.getpid()))
        self._write_extras_at_end()
        self._sink.close()
        self._write_reports(status)
        return status

    def suppressed(self) -> tuple[SuppressionUse, ...]:
        """Suppressions and verdicts that hid something."""
        return (*self._suppressions.uses(), *self._gate.uses())

    def report(self, status: int) -> Report:
        """The whole run as data."""
        uses = self.suppressed()
        return self._words.facts.report(
            self.findings, status, uses, self.statistics, self._gate, self.injection()
        )

    def _write_reports(self, status: int) -> None:
        self._writer.write(lambda: self.report(status), self.findings, is_child=self._is_child)

    def _write_early(self) -> None:
        """Findings so far are kept, should the process be killed."""
        self._writer.write_early(
            lambda: unfinished(self.report(self.status_of_findings())), len(self.findings)
        )  # fmt: skip


def _changes_status(finding: Finding) -> bool:
    """Whether a run with this finding ends with its tool's exit status.

    Not so a leak that the program has asked about itself, in a search that it survives.
    """
    return finding.verdict == "bug" and not _is_asked_about(finding)


def _is_asked_about(finding: Finding) -> bool:
    return finding.tool == "LeakSanitizer" and not finding.fatal
