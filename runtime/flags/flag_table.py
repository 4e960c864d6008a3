"""The one table of run-time flags: name, type, default, owner, status, help.

Owner `common` holds the flags every tool reads; each tool then owns a few more.
A default is irsan's; where a tool differs from it, TOOL_DEFAULTS says so.
Status: `honoured` flags change what irsan does; `accepted` ones are known and checked but mean
nothing here (another platform, an external symbolizer, memory that irsan does not use); `later`
ones belong to what a later release brings. What has no effect is said when verbosity is 1 or more.

Source: names and defaults as LLVM 19's tools print them with help=1, newer ones included.
Deviations: exitcode is 66 for every tool; handle_abort and handle_sigill are on, as an abort and a
trap are findings; log_fallback_to_stderr is on; suppress_equal_addresses, of older
ThreadSanitizers, is off: histories stay exact after a report; hwasan and scudo have no flags here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

FlagType = Literal["bool", "int", "uptr", "str", "enum"]
FlagValue = bool | int | str
Owner = Literal["common", "asan", "tsan", "lsan", "ubsan", "msan", "gwp_asan", "dbsan", "irsan"]
Status = Literal["honoured", "accepted", "later"]
OWNERS: tuple[Owner, ...] = get_args(Owner)

SIGNAL_MODES = ("no", "yes", "exclusive")


@dataclass(frozen=True, slots=True)
class Flag:
    """One row. `choices` are the words of an enum; its value is the word itself."""

    name: str
    type: FlagType
    default: FlagValue
    help: str
    owner: Owner
    status: Status = "honoured"
    choices: tuple[str, ...] = ()


Row = tuple[str, FlagValue, str]


def _rows(owner: Owner, status: Status, rows: tuple[Row, ...]) -> tuple[Flag, ...]:
    return tuple(Flag(name, _type_of(d), d, text, owner, status) for name, d, text in rows)


def _type_of(default: FlagValue) -> FlagType:
    if isinstance(default, bool):
        return "bool"
    return "int" if isinstance(default, int) else "str"


def _sizes(owner: Owner, status: Status, rows: tuple[Row, ...]) -> tuple[Flag, ...]:
    return tuple(Flag(name, "uptr", d, text, owner, status) for name, d, text in rows)


def _signals(names: tuple[str, ...], default: str) -> tuple[Flag, ...]:
    text = "report this signal: no, yes, or exclusive (the program cannot replace the handler)"
    return tuple(
        Flag(n, "enum", default, f"{n[7:]}: {text}", "common", "honoured", SIGNAL_MODES)
        for n in names
    )


COMMON = (
    *_rows("common", "honoured", (
        ("symbolize", True, "print function, file and line of each frame"),
        ("strip_path_prefix", "", "cut this prefix off printed file names"),
        ("malloc_context_size", 30, "frames kept for each allocation and free"),
        ("log_path", "", "write reports to PATH.PID (or PATH with %p); also: stdout, stderr"),
        ("log_exe_name", False, "put the program's name into the log file's name"),
        ("log_suffix", "", "append this to the log file's name"),
        ("log_fallback_to_stderr", True, "use stderr when the log file cannot be opened"),
        ("verbosity", 0, "0 quiet, 1 says which flags mean nothing here, 2 more"),
        ("detect_leaks", True, "look for leaks"),
        ("leak_check_at_exit", True, "look for leaks when the program ends"),
        ("allocator_may_return_null", False, "absurd requests give NULL instead of a report"),
        ("print_summary", True, "end each report with a SUMMARY line"),
        ("check_printf", True, "check the memory that printf arguments point to"),
        ("detect_deadlocks", True, "report lock-order inversions"),
        ("help", False, "list every flag with its value"),
        ("print_suppressions", True, "at exit, list the suppressions that matched"),
        ("symbolize_inline_frames", True, "show inlined functions as frames of their own"),
        ("demangle", True, "print C++ names as written in the source"),
        ("symbolize_vs_style", False, "print file(line,column) instead of file:line:column"),
        ("dedup_token_length", 0, "print a DEDUP_TOKEN of this many frames after each stack"),
        ("stack_trace_format", "DEFAULT", "template of a frame, for instance '    #%n %p %F %L'"),
        ("strict_string_checks", False, "string functions need a NUL inside the buffer"),
        ("strict_memcmp", True, "memcmp counts as reading all of its bytes"),
        ("intercept_strstr", True, "check strstr and similar"),
        ("intercept_strspn", True, "check strspn and strcspn"),
        ("intercept_strtok", True, "check strtok"),
        ("intercept_strpbrk", True, "check strpbrk"),
        ("intercept_strcmp", True, "check strcmp and similar"),
        ("intercept_strlen", True, "check strlen and strnlen"),
        ("intercept_strndup", True, "check strndup"),
        ("intercept_strchr", True, "check strchr and strrchr"),
        ("intercept_memcmp", True, "check memcmp"),
        ("intercept_memmem", True, "check memmem"),
        ("intercept_intrin", True, "check memset, memcpy and memmove"),
        ("intercept_stat", True, "check stat and similar"),
        ("intercept_send", True, "check send and similar"),
        ("exitcode", 66, "exit status when something was found; 0 keeps the program's own"),
        ("abort_on_error", False, "after a report end with abort (134) instead of exit"),
        ("suppress_equal_pcs", True, "when running on, report each place once"),
        ("print_cmdline", False, "print the program's command line before a report"),
        ("detect_write_exec", False, "warn on pages both writable and executable"),
        ("dump_instruction_bytes", False, "bytes at the faulting pc"),
        ("log_to_syslog", False, "copy reports to syslog"),
        ("print_module_map", 0, "list loaded modules: 1 at exit, 2 with each report"),
        ("dump_registers", True, "print registers with a signal's report, if they are known"),
        ("detect_invalid_join", True, "report joins of threads that cannot be joined"),
        ("enable_unmalloced_free_check", True, "report frees of what was never allocated"),
        ("allow_user_segv_handler", True, "0: where a handle_* says yes, it means exclusive"),
        ("disable_coredump", True, "no core file when a signal ends the program"),
        ("heap_profile", False, "print who holds the heap whenever it has grown by a tenth"),
        ("handle_ioctl", False, "check what ioctl reads and writes"),
        ("include", "", "read more flags from this file (%b program, %p pid)"),
        ("include_if_exists", "", "the same, silently skipped when the file is missing"),
    )),
    Flag("color", "enum", "auto", "colour reports: always, never, or auto (on a terminal)",
         "common", "honoured", ("auto", "always", "never")),
    *_sizes("common", "honoured", (
        ("max_allocation_size_mb", 0, "largest single allocation, 0 for none"),
        ("hard_rss_limit_mb", 0, "end the program when its run adds more real memory, 0: no limit"),
        ("mmap_limit_mb", 0, "end the program when its heap maps more memory, 0: no limit"),
        ("soft_rss_limit_mb", 0, "allocations fail beyond this much more real memory, 0: no limit"),
    )),
    *_signals(("handle_segv", "handle_sigbus", "handle_sigfpe"), "yes"),
    *_signals(("handle_abort", "handle_sigill"), "yes"),
    *_signals(("handle_sigtrap",), "no"),
    *_rows("common", "accepted", (
        ("external_symbolizer_path", "", "a symbolizer; irsan reads debug info from the IR"),
        ("allow_addr2line", False, "use addr2line"),
        ("fast_unwind_on_check", False, "unwinder at an internal failure; irsan never unwinds"),
        ("fast_unwind_on_fatal", False, "unwinder at an error; irsan never unwinds"),
        ("fast_unwind_on_malloc", True, "unwinder at an allocation; irsan never unwinds"),
        ("strip_env", True, "macOS only"),
        ("verify_interceptors", True, "macOS only"),
        ("cloak_sanitizer_signal_handlers", False, "hide own handlers from the program"),
        ("use_sigaltstack", True, "run signal handlers on a stack of their own"),
        ("legacy_pthread_cond", False, "support condition variables of old C libraries"),
        ("intercept_tls_get_addr", True, "follow dynamic thread-local storage"),
        ("allocator_release_to_os_interval_ms", 5000, "give memory back this often"),
        ("can_use_proc_maps_statm", True, "read /proc; a test aid"),
        ("coverage", False, "SanitizerCoverage output"),
        ("coverage_dir", ".", "where coverage goes"),
        ("cov_8bit_counters_out", "", "file for 8-bit coverage counters"),
        ("cov_pcs_out", "", "file for coverage pcs"),
        ("print_coverage_summary", True, "coverage totals at exit"),
        ("html_cov_report", False, "coverage as HTML"),
        ("sancov_path", "sancov", "the sancov tool"),
        ("full_address_space", False, "32-bit kernels only"),
        ("use_madv_dontdump", True, "leave shadow out of core files"),
        ("compress_stack_depot", 0, "compress old stacks in the background"),
        ("no_huge_pages_for_shadow", True, "no huge pages for shadow"),
        ("decorate_proc_maps", False, "name mappings in /proc"),
        ("test_only_emulate_no_memorymap", False, "a test aid"),
        ("test_only_replace_dlopen_main_program", False, "a test aid"),
        ("enable_symbolizer_markup", False, "frames as symbolizer markup"),
    )),
    *_sizes("common", "accepted", (
        ("clear_shadow_mmap_threshold", 65536, "remap instead of clearing shadow above this"),
    )),
)  # fmt: skip

ASAN = _rows("asan", "honoured", (
    ("quarantine_size_mb", -1, "freed blocks kept, in MB with redzones; -1 means 256"),
    ("quarantine_size", -1, "older name of quarantine_size_mb, in bytes"),
    ("redzone", 16, "smallest redzone around a heap block, in bytes"),
    ("max_redzone", 2048, "largest redzone around a heap block, in bytes"),
    ("report_globals", 1, "global redzones: 0 off, 1 on, 2 and say each one"),
    ("check_initialization_order", False, "report initialisers using globals not yet initialised"),
    ("strict_init_order", False, "globals of other modules never count as initialised"),
    ("replace_str", True, "check string functions"),
    ("replace_intrin", True, "check memset, memcpy and memmove"),
    ("detect_stack_use_after_return", True, "keep frames of functions that have returned"),
    ("max_malloc_fill_size", 4096, "fill this many bytes of a new block"),
    ("malloc_fill_byte", 0xBE, "with this byte"),
    ("max_free_fill_size", 0, "fill this many bytes of a freed block"),
    ("free_fill_byte", 0x55, "with this byte"),
    ("allow_user_poisoning", True, "the program may poison memory itself"),
    ("check_malloc_usable_size", True, "report malloc_usable_size of foreign pointers"),
    ("print_stats", False, "allocator statistics after a report"),
    ("atexit", False, "allocator statistics at exit"),
    ("sleep_before_init", 0, "seconds to wait for a debugger"),
    ("sleep_after_init", 0, "seconds to wait for a debugger"),
    ("sleep_before_dying", 0, "seconds to wait for a debugger"),
    ("print_scariness", False, "a score of how bad a finding is"),
    ("print_legend", True, "explain shadow bytes below a report"),
    ("print_full_thread_history", True, "creation stacks of all ancestors of a thread"),
    ("poison_heap", True, "redzones and quarantine on the heap"),
    ("poison_partial", True, "catch overflows within the last 8 bytes of a block"),
    ("poison_array_cookie", True, "protect the length that new[] stores"),
    ("alloc_dealloc_mismatch", True, "report malloc paired with delete and the like"),
    ("new_delete_type_mismatch", True, "report delete with another size than new"),
    ("free_size_mismatch", True, "report free_sized with another size than malloc"),
    ("detect_invalid_pointer_pairs", 0, "compare of unrelated pointers: 1 but null, 2 all"),
    ("detect_container_overflow", True, "honour container annotations"),
    ("track_poison", 0, "keep the stacks of so many calls that poison memory, the last ones"),
    ("detect_odr_violation", 2, "equal globals in two modules: 1 of other size, 2 any"),
    ("suppressions", "", "file of suppressions"),
    ("halt_on_error", True, "end the program at the first report"),
    ("allocator_frees_and_returns_null_on_realloc_zero", True, "realloc(p, 0) frees p"),
)) + _rows("asan", "accepted", (
    ("thread_local_quarantine_size_kb", -1, "one quarantine serves all; 0 needs none at all"),
    ("debug", False, "extra checks of the tool itself"),
    ("min_uar_stack_size_log", 16, "smallest fake stack, log2; here always 20"),
    ("max_uar_stack_size_log", 20, "largest fake stack, log2; here always 20"),
    ("uar_noreserve", False, "map fake stacks without reserve"),
    ("unmap_shadow_on_exit", False, "unmap shadow at exit"),
    ("protect_shadow_gap", True, "make the shadow gap inaccessible"),
    ("start_deactivated", False, "Android only"),
    ("verify_asan_link_order", True, "there is nothing to link"),
    ("windows_hook_rtl_allocators", False, "Windows only"),
))  # fmt: skip

TSAN = (
    *_rows("tsan", "honoured", (
        ("enable_annotations", True, "dynamic annotations in the program take effect"),
        ("suppress_equal_stacks", True, "one report per pair of stacks"),
        ("suppress_equal_addresses", False, "one report per address range"),
        ("report_bugs", True, "0 analyses silently"),
        ("report_thread_leaks", True, "report threads never joined nor detached"),
        ("report_destroy_locked", True, "report destruction of a held mutex"),
        ("report_mutex_bugs", True, "report double locks, bad unlocks and the like"),
        ("report_signal_unsafe", True, "report unsafe calls in signal handlers"),
        ("report_atomic_races", True, "report atomic against plain accesses"),
        ("force_seq_cst_atomics", False, "treat every atomic operation as seq_cst"),
        ("halt_on_error", False, "end the program at the first report"),
        ("suppressions", "", "file of suppressions"),
        ("io_sync", 1, "order by file descriptors: 0 none, 1 per descriptor, 2 one for all"),
        ("ignore_interceptors_accesses", False, "no memory accesses from library functions"),
        ("print_full_thread_history", False, "creation stacks of all ancestors of a thread"),
        ("second_deadlock_stack", False, "two stacks for each edge of a deadlock report"),
        ("atexit_sleep_ms", 1000, "virtual time that other threads have at exit"),
        ("die_after_fork", False, "the child of a threaded fork may not create threads"),
    )),
    *_rows("tsan", "accepted", (
        ("force_background_thread", False, "there is no background thread"),
        ("print_benign", False, "list benign races at exit"),
        ("profile_memory", "", "memory profile at regular intervals"),
        ("flush_memory_ms", 0, "drop all shadow this often"),
        ("flush_symbolizer_ms", 5000, "drop symbolizer caches this often"),
        ("memory_limit_mb", 0, "drop shadow near this much memory"),
        ("stop_on_start", False, "wait to be resumed"),
        ("running_on_valgrind", False, "what RunningOnValgrind() answers"),
        ("history_size", 0, "length of the access history; irsan keeps every previous stack"),
        ("ignore_noninstrumented_modules", False, "ignore callers without instrumentation"),
        ("shared_ptr_interceptor", True, "understand libc++ shared_ptr"),
        ("lock_during_write", True, "macOS only"),
        ("enable_adaptive_delay", False, "delays at synchronisation; irsan has a scheduler"),
        ("adaptive_delay_aggressiveness", 25, "see enable_adaptive_delay"),
        ("adaptive_delay_relaxed_sample_rate", 10000, "see enable_adaptive_delay"),
        ("adaptive_delay_sync_atomic_sample_rate", 100, "see enable_adaptive_delay"),
        ("adaptive_delay_mutex_sample_rate", 10, "see enable_adaptive_delay"),
        ("adaptive_delay_max_atomic", "sleep_us=50", "see enable_adaptive_delay"),
        ("adaptive_delay_max_sync", "sleep_us=500", "see enable_adaptive_delay"),
    )),
    Flag("race_detector", "enum", "fasttrack", "what checks accesses for races", "tsan", "honoured",
         ("fasttrack", "tsan", "djit", "vector", "lockset")),
    Flag("clock", "enum", "vector", "form of the clocks that order threads", "tsan", "honoured",
         ("vector", "tree")),
    *_rows("tsan", "honoured", (
        ("timeline", True, "operations before a finding, in reports of other formats than text"),
        ("print_clocks", False, "logical times at both accesses of a race, in reports"),
    )),
)  # fmt: skip

LSAN = _rows("lsan", "honoured", (
    ("report_objects", False, "list the leaked blocks"),
    ("resolution", 0, "frames that tell leaks apart, 0 for all"),
    ("max_leaks", 0, "print only this many, 0 for all"),
    ("use_globals", True, "globals keep blocks alive"),
    ("use_stacks", True, "stacks keep blocks alive"),
    ("use_registers", True, "registers keep blocks alive"),
    ("use_tls", True, "thread-local storage keeps blocks alive"),
    ("use_root_regions", True, "registered regions keep blocks alive"),
    ("use_unaligned", False, "pointers at unaligned addresses count"),
    ("use_poisoned", False, "pointers in poisoned memory count"),
    ("use_interior", True, "pointers into the middle of a block count; 0 only where C++ has them"),
    ("use_dead_stack", False, "pointers left in stack that is no longer used count"),
    ("suppressions", "", "file of suppressions"),
)) + _rows("lsan", "accepted", (
    ("use_ld_allocations", True, "blocks of the dynamic loader keep blocks alive"),
    ("log_pointers", False, "trace pointers of the leak check"),
    ("log_threads", False, "trace threads of the leak check"),
    ("tries", 1, "repeat the check"),
    ("thread_suspend_fail", 1, "when threads cannot be stopped; irsan's always can"),
))  # fmt: skip

UBSAN = _rows("ubsan", "honoured", (
    ("halt_on_error", False, "end the program at the first report"),
    ("print_stacktrace", False, "print a stack below each message"),
    ("suppressions", "", "file of suppressions"),
    ("report_error_type", False, "SUMMARY names the check that failed"),
    ("silence_unsigned_overflow", False, "no reports of unsigned overflow"),
))  # fmt: skip

MSAN = _rows("msan", "honoured", (
    ("exit_code", -1, "older name of exitcode, -1 unset"),
    ("origin_history_size", 7, "steps kept of a value's way"),
    ("poison_heap_with_zeroes", False, "new blocks count as initialised, and are zero"),
    ("poison_stack_with_zeroes", False, "new frames count as initialised, and are zero"),
    ("poison_in_malloc", True, "new blocks are uninitialised"),
    ("poison_in_free", True, "freed blocks are uninitialised"),
    ("poison_in_dtor", True, "destroyed objects are uninitialised"),
    ("report_umrs", True, "report uses of uninitialised values"),
    ("halt_on_error", True, "end the program at the first report"),
    ("keep_going", False, "the opposite of halt_on_error"),
    ("store_context_size", 20, "frames kept for each stored step"),
)) + _rows("msan", "accepted", (
    ("origin_history_per_stack_limit", 20000, "limit of histories per stack"),
    ("print_faulting_instruction", False, "name the instruction"),
    ("wrap_signals", True, "clean arguments of signal handlers"),
    ("print_stats", False, "statistics after a report"),
    ("atexit", False, "statistics at exit"),
))  # fmt: skip

GWP_ASAN = _rows("gwp_asan", "honoured", (
    ("Enabled", True, "guard sampled allocations when the tool is chosen"),
    ("MaxSimultaneousAllocations", 16, "guarded slots"),
    ("SampleRate", 5000, "one allocation in so many is guarded, on average"),
    ("PerfectlyRightAlign", False, "no alignment gap behind a block"),
    ("Recoverable", False, "go on after a report"),
)) + _rows("gwp_asan", "accepted", (
    ("InstallSignalHandlers", True, "irsan has its own"),
    ("InstallForkHandlers", True, "irsan has its own"),
))  # fmt: skip

DBSAN = _rows("dbsan", "honoured", (
    ("print_frequent_access", True, "print the most accessed addresses at exit"),
    ("top", 10, "how many of the most accessed addresses to print at exit"),
    ("min_count", 1, "leave out addresses accessed less often"),
))  # fmt: skip

IRSAN = (
    *_sizes("irsan", "honoured", (
        ("seed", 0, "seed of every random choice"),
    )),
    *_rows("irsan", "honoured", (
        ("sanitize", "", "what to check, as for --sanitize: address+undefined"),
        ("stdlib", "", "C++ library of builds and runs: checked or native, as for --stdlib"),
        ("report_format", "", "forms of the report, as for --report-format: 'json,text'"),
        ("report_path", "", "files for them, in quotes when many; %p is the process"),
        ("root", "", "folder that paths in reports are relative to, as for --root"),
        ("baseline", "", "earlier report whose findings do not fail the run, as for --baseline"),
        ("fail_on", "", "rules and levels that fail the run: 'error,thread-leak'"),
        ("triage", "", "file of verdicts, as for --triage"),
        ("clock_start", "", "the date when the program starts, now, or seed to draw one"),
        ("inject", "", "failures that are injected, as for --inject: 'malloc,io'"),
        ("schedule", "", "replay this schedule token"),
        ("scheduler", "random", "strategy that picks the next thread"),
        ("strict_flags", False, "an unknown or wrong flag in any *_OPTIONS ends irsan (status 2)"),
        ("print_replay", True, "end each report with the command that repeats it"),
        ("check_object_bounds", 1, "bounds by pointers' objects: 0 off, 1 on, 2 of fields, too"),
        ("report_panics", True, "report a panic of Rust that ends the program"),
        ("dump_threads", 1, "where threads are when a signal ends the run: 0 never, 2 with stacks"),
        ("keep_all_checks", False, "make every check where it stands, for tests of analyses"),
        ("max_stack_fill_size", 32768, "fill this many bytes of a fresh stack, from its top"),
        ("stack_fill_byte", 0xBE, "with this byte"),
        ("source_snippets", True, "show source lines below a report on a terminal"),
        ("show_memory", True, "bytes around the address, in reports of other formats than text"),
        ("show_library_frames", False, "show every frame of the standard library, not one of many"),
        ("library_frames", "", "what else is a library, by path or name: /boost/,absl,!/src/own/"),
        ("template_width", 60, "cut template arguments in names to this width, 0 for never"),
    )),
    Flag("engine", "enum", "jit", "jit (fast) or interp (exact)", "irsan", "honoured",
         ("jit", "interp")),
    Flag("report_style", "enum", "native", "native layout, or compat for strict report parsers",
         "irsan", "honoured", ("native", "compat")),
)  # fmt: skip

# What has no effect in this release; suppressions of every tool are one list already.
_LATER_TOOLS: tuple[Owner, ...] = ()
_LATER_FLAGS: dict[Owner, str] = {}


def _with_status(flag: Flag) -> Flag:
    is_later = flag.owner in _LATER_TOOLS or flag.name in _LATER_FLAGS.get(flag.owner, "").split()
    if not is_later or flag.status != "honoured" or flag.name == "suppressions":
        return flag
    return replace(flag, status="later")


FLAGS: tuple[Flag, ...] = tuple(map(_with_status, (
    *COMMON, *ASAN, *TSAN, *LSAN, *UBSAN, *MSAN, *GWP_ASAN, *DBSAN, *IRSAN,
)))  # fmt: skip

# Common flags whose default one tool changes.
TOOL_DEFAULTS: dict[tuple[Owner, str], FlagValue] = {
    ("tsan", "stack_trace_format"): "    #%n %f %S %M",
    ("tsan", "print_suppressions"): False,
    ("tsan", "allow_addr2line"): True,
    ("msan", "malloc_context_size"): 20,
    ("msan", "check_printf"): False,
    ("msan", "handle_ioctl"): True,
}
