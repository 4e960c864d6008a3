"""The flag table, the grammar of option strings, and who hears which variable."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from irsan.errors import InternalError
from irsan.runtime.flags.flag_table import FLAGS, OWNERS, Flag
from irsan.runtime.flags.flag_text import FlagSyntaxError, split_flags, text_to_value
from irsan.runtime.flags.flags import (
    TOOL_OWNERS,
    VARIABLES,
    Flags,
    exit_status_after,
    format_help,
    nearest_flag,
    parse_flags,
)
from tests.oracles.flag_text import naive_split_flags

OPTION_TEXT = st.text(alphabet="ab=:, '\"\t\n0x", max_size=24)


@given(OPTION_TEXT)
@example('a="b c":d=1')
@example("a=b=c")
@example("a='b'c")
@example("a=b'c")
@example("a=b,x,0:b=a,b=,a")
def test_split_flags_agrees_with_the_naive_one(text: str) -> None:
    expected, complete = naive_split_flags(text)
    found: list[tuple[str, str]] = []
    try:
        for pair in split_flags(text):
            found.append(pair)
    except FlagSyntaxError:
        assert not complete
    else:
        assert complete
    assert found == expected


def test_a_list_needs_no_quotes() -> None:
    pairs = list(split_flags("sanitize=address,undefined,seed=7:inject=malloc,io"))
    assert pairs == [
        ("sanitize", "address,undefined"), ("seed", "7"), ("inject", "malloc,io"),
    ]  # fmt: skip


def test_table_is_sound() -> None:
    assert len({(f.owner, f.name) for f in FLAGS}) == len(FLAGS)
    assert {f.owner for f in FLAGS} == set(OWNERS)
    for flag in FLAGS:
        assert flag.help and flag.help[-1] not in ".:"
        kind = {"bool": bool, "int": int, "uptr": int}.get(flag.type, str)
        assert type(flag.default) is kind, flag.name
        assert flag.type != "enum" or flag.default in flag.choices


def test_tools_keep_the_field_s_defaults() -> None:
    flags = Flags()
    assert flags.exitcode == 66
    assert flags.malloc_context_size == 30
    assert flags.asan.halt_on_error is True
    assert flags.tsan.halt_on_error is False
    assert flags.ubsan.halt_on_error is False
    assert flags.asan.stack_trace_format == "DEFAULT"
    assert flags.tsan.stack_trace_format == "    #%n %f %S %M"
    assert flags.tsan.print_suppressions is False
    assert flags.asan.malloc_fill_byte == 0xBE
    assert flags.handle_segv == "yes"
    assert (flags.handle_abort, flags.handle_sigill) == ("yes", "yes")  # findings here
    assert flags.gwp_asan.SampleRate == 5000


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        *(("bool", t, True) for t in ("1", "yes", "true")),
        *(("bool", t, False) for t in ("0", "no", "false")),
        ("int", "-0x10", -16),
        ("int", "+12", 12),
        ("uptr", "0xFF", 255),
        ("str", "", ""),
    ],
)
def test_values(kind: str, text: str, value: object) -> None:
    flag = Flag("x", kind, "", "", "common")  # type: ignore[arg-type]
    assert text_to_value(flag, text) == value


@pytest.mark.parametrize(
    ("kind", "text"), [("bool", "2"), ("bool", ""), ("int", "1k"), ("int", ""), ("uptr", "-1")]
)
def test_values_refused(kind: str, text: str) -> None:
    flag = Flag("x", kind, "", "", "common")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected"):
        text_to_value(flag, text)


def test_signal_modes_and_enums() -> None:
    parsed = parse_flags({"ASAN_OPTIONS": "handle_segv=2:handle_abort=true:color=always"})
    assert (parsed.flags.handle_segv, parsed.flags.handle_abort) == ("exclusive", "yes")
    assert parsed.flags.color == "always"
    wrong = parse_flags({"IRSAN_OPTIONS": "color=blue:engine=gpu"})
    assert len(wrong.warnings) == 2
    assert "expected auto or always or never" in wrong.warnings[0]


def test_separators_quotes_and_order() -> None:
    text = "redzone=16,redzone=0x20 log_path='a b':\tverbosity=2\nsymbolize=no"
    parsed = parse_flags({"ASAN_OPTIONS": text})
    assert parsed.warnings == ()
    flags = parsed.flags
    assert (flags.redzone, flags.log_path, flags.verbosity) == (32, "a b", 2)
    assert flags.symbolize is False


def test_sources_in_order() -> None:
    environment = {"ASAN_OPTIONS": "redzone=32", "IRSAN_OPTIONS": "redzone=64"}
    defaults = {"asan": "redzone=128:max_redzone=512"}
    flags = parse_flags(environment, defaults).flags  # type: ignore[arg-type]
    assert (flags.asan.redzone, flags.asan.max_redzone) == (64, 512)
    del environment["IRSAN_OPTIONS"]
    flags = parse_flags(environment, defaults).flags  # type: ignore[arg-type]
    assert (flags.asan.redzone, flags.redzone) == (32, 32)


def test_each_variable_sets_its_own_tool() -> None:
    for variable, owner in VARIABLES.items():
        name = next(f.name for f in FLAGS if f.owner == owner and f.type == "bool") if (
            owner not in ("dbsan", "irsan")
        ) else {"dbsan": "top", "irsan": "seed"}[owner]
        parsed = parse_flags({variable: f"{name}=1"})
        assert parsed.warnings == ()
        assert getattr(parsed.flags.tool(owner), name) == 1


def test_exitcode_per_tool() -> None:
    flags = parse_flags({"ASAN_OPTIONS": "exitcode=7", "TSAN_OPTIONS": "exitcode=8"}).flags
    codes = {o: flags.tool(o).exitcode for o in ("asan", "lsan", "ubsan", "tsan", "msan")}
    assert codes == {"asan": 7, "lsan": 7, "ubsan": 7, "tsan": 8, "msan": 66}
    everything = {"ASAN_OPTIONS": "exitcode=7", "IRSAN_OPTIONS": "exitcode=3"}
    flags = parse_flags(everything).flags
    assert {flags.tool(o).exitcode for o in TOOL_OWNERS.values()} == {3}
    leaks = parse_flags({"ASAN_OPTIONS": "exitcode=7", "LSAN_OPTIONS": "exitcode=23"}).flags
    assert (leaks.asan.exitcode, leaks.lsan.exitcode) == (7, 23)


def test_exit_status() -> None:
    flags = parse_flags({"ASAN_OPTIONS": "exitcode=0", "TSAN_OPTIONS": "exitcode=8"}).flags
    assert exit_status_after(flags, (), 5) == 5
    assert exit_status_after(flags, ("ThreadSanitizer", "AddressSanitizer"), 5) == 8
    assert exit_status_after(flags, ("AddressSanitizer",), 5) == 5
    assert exit_status_after(Flags(), ("GWP-ASan",), 0) == 66


def test_irsan_options_reach_every_tool_of_that_name() -> None:
    flags = parse_flags({"IRSAN_OPTIONS": "halt_on_error=1:suppressions=f"}).flags
    assert all(flags.tool(o).halt_on_error for o in ("asan", "tsan", "ubsan", "msan"))
    assert {flags.tool(o).suppressions for o in ("asan", "tsan", "lsan", "ubsan")} == {"f"}


@pytest.mark.parametrize(
    ("variable", "text", "warning"),
    [
        ("ASAN_OPTIONS", "quarantin_size_mb=3", "did you mean 'quarantine_size_mb'?"),
        ("ASAN_OPTIONS", "zzzzzz=3", "unknown flag 'zzzzzz'"),
        ("TSAN_OPTIONS", "redzone=32", "redzone is not a flag of tsan; set it in ASAN_OPTIONS"),
        ("TSAN_OPTIONS", "halt_on_error", "expected '=' after 'halt_on_error'"),
        ("TSAN_OPTIONS", "log_path='x", "open quote in log_path='x"),
        ("LSAN_OPTIONS", "max_leaks=many", "max_leaks=many: expected a number; kept as it was"),
    ],
)
def test_warnings(variable: str, text: str, warning: str) -> None:
    parsed = parse_flags({variable: text})
    assert len(parsed.warnings) == 1
    assert parsed.warnings[0].startswith(f"{variable}: ") and warning in parsed.warnings[0]
    assert parsed.flags.as_mapping() == Flags().as_mapping()


def test_flags_before_a_fault_count() -> None:
    parsed = parse_flags({"ASAN_OPTIONS": "redzone=32:oops:max_redzone=64"})
    assert parsed.flags.redzone == 32
    assert parsed.flags.max_redzone == 2048
    assert len(parsed.warnings) == 1


def test_accepted_flags_are_noted() -> None:
    parsed = parse_flags({"TSAN_OPTIONS": "history_size=7"})
    assert parsed.warnings == ()
    assert "history_size has no meaning here" in parsed.notes[0]


def test_include() -> None:
    files = {"/o/prog.9": "redzone=32", "/loop": "include=/loop:max_redzone=99"}

    def read_text(path: str) -> str:
        if path not in files:
            raise FileNotFoundError(2, "No such file")
        return files[path]

    def parse(text: str) -> tuple[Flags, tuple[str, ...]]:
        parsed = parse_flags({"ASAN_OPTIONS": text}, program="/x/prog", pid=9, read_text=read_text)
        return parsed.flags, parsed.warnings

    flags, warnings = parse("include=/o/%b.%p:max_redzone=64")
    assert (flags.redzone, flags.max_redzone, warnings) == (32, 64, ())
    flags, warnings = parse("include=/none:redzone=64")
    assert flags.redzone == 64
    assert warnings == ("cannot read flags from /none: No such file",)
    assert parse("include_if_exists=/none")[1] == ()
    flags, warnings = parse("include=/loop")
    assert flags.max_redzone == 99
    assert warnings == ("/loop: included from within itself; ignored",)


def test_flags_are_immutable_and_typed() -> None:
    flags = Flags()
    with pytest.raises(AttributeError, match="immutable"):
        flags.exitcode = 3
    with pytest.raises(AttributeError, match="no flag 'exitcod'"):
        _ = flags.exitcod
    with pytest.raises(AttributeError, match=r"ask flags.asan or flags.tsan"):
        _ = flags.halt_on_error
    assert flags.get_int("exitcode") == 66
    assert flags.get_bool("symbolize") is True
    assert flags.get_str("color") == "auto"
    with pytest.raises(InternalError, match="flag symbolize is bool, asked as int"):
        flags.get_int("symbolize")
    assert "exitcode" in list(flags)


def test_nearest_flag() -> None:
    assert nearest_flag("exit_cod") == "exit_code"
    assert nearest_flag("malloc_context") == "malloc_context_size"
    assert nearest_flag("qqqqqqqq") == ""


def test_help_lists_every_flag() -> None:
    options = "io_sync=2:die_after_fork=0:print_benign=1"
    text = format_help(parse_flags({"TSAN_OPTIONS": options}).flags)
    for flag in FLAGS:
        assert f"\t{flag.name}=" in text
    assert "\tio_sync=2\n" in text and "\tdie_after_fork=0\n" in text
    assert "(honoured, default 1)" in text and "(accepted, default 0)" in text
    assert '\tsuppressions=""\n' in text
