"""The front end with real compilers: C, C++ and IR become bitcode; refusals are one message."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from pathlib import Path

import pytest

from irsan.engine.cache import Cache
from irsan.engine.front_end import frontend
from irsan.engine.front_end.frontend import check_readable_program, compile_to_ir, language_of
from irsan.engine.options import FrontendOptions
from irsan.errors import UsageError

HELLO = '#include <stdio.h>\nint main(void) { printf("%d\\n", 1); return 0; }\n'
HELLO_CC = "#include <vector>\nint main() { std::vector<int> v(3); return v[0]; }\n"


def available_compilers() -> list[str]:
    found = [name for name in ("clang", "clang-19") if shutil.which(name)][:1]
    try:
        import ziglang  # noqa: F401
    except ImportError:
        return found
    return [*found, f"{sys.executable} -m ziglang"]


@pytest.fixture(params=available_compilers())
def cc(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def any_cc() -> str:
    found = available_compilers()
    if not found:
        pytest.skip("no compiler: neither clang nor the extra irsan[cc]")
    return found[0]


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    time.sleep(0.02)  # what is changed while it is compiled is not kept
    return path


def assembly(bitcode: bytes) -> str:
    import llvmlite.binding

    return str(llvmlite.binding.parse_bitcode(bitcode))


def test_c_has_debug_information_and_no_optnone(tmp_path: Path, cache: Cache, cc: str) -> None:
    source = write(tmp_path, "hello.c", HELLO)
    (unit,) = compile_to_ir([source], FrontendOptions(cc=cc, opt_level=0), cache=cache)
    text = assembly(unit.bitcode)
    assert unit.language == "c"
    assert '!DISubprogram(name: "main"' in text
    assert "optnone" not in text
    assert "__stack_chk" not in text


MARKED = """
struct Part { int size; Part() : size(1) {} ~Part() { size = 0; } };
#if !__has_feature(memory_sanitizer)
#error the program cannot know
#endif
static int twice(int x) { return 2 * x; }
extern "C" int memcmp(const void *, const void *, unsigned long);
int compared(const void *first, const void *second) { return !memcmp(first, second, 8); }
int known() { Part part; return twice(part.size); }
__attribute__((no_sanitize("memory"))) int unknown(const int *at) { return *at; }
"""


@pytest.mark.parametrize("level", [0, 1])
def test_what_is_checked_for_uninitialised_values_is_marked(
    tmp_path: Path, cache: Cache, cc: str, level: int
) -> None:
    source = write(tmp_path, "a.cpp", MARKED)
    options = FrontendOptions(cc=cc, opt_level=level, marks_uninitialised=True)
    (unit,) = compile_to_ir([source], options, cache=cache)
    text = assembly(unit.bitcode)
    marks = {
        name: "sanitize_memory" in attributes
        for attributes, name in re.findall(r"; Function Attrs: (.*)\ndefine .*@(\w+)\(", text)
    }
    assert marks["_Z5knownv"] and not marks["_Z7unknownPKi"]
    assert "memory" in unit.marked
    assert "__sanitizer_dtor_callback_fields" in text
    assert ("_ZL5twicei" in text) == (level == 0)  # optimised, although by a second command
    assert "__msan_" not in text
    (compared,) = re.findall(r"call .*@(?:memcmp|bcmp)\(.*#(\d+)", text)
    assert re.search(rf"attributes #{compared} = {{[^}}]*nobuiltin", text)  # it is to be seen


def test_assertions_stay_on_at_every_level(tmp_path: Path, cache: Cache, cc: str) -> None:
    source = write(tmp_path, "a.c", "#include <assert.h>\nvoid f(int x) { assert(x == 3); }\n")
    for level in (0, 1, 2):
        options = FrontendOptions(cc=cc, opt_level=level)
        (unit,) = compile_to_ir([source], options, cache=cache)
        assert "__assert_fail" in assembly(unit.bitcode)
    options = FrontendOptions(cc=cc, defines=("NDEBUG",))
    (unit,) = compile_to_ir([source], options, cache=cache)
    assert "__assert_fail" not in assembly(unit.bitcode)


def test_no_fortified_calls_and_no_run_time_checks(tmp_path: Path, cache: Cache, cc: str) -> None:
    text = (
        "#include <string.h>\nvoid use(char *);\n"
        "void f(const char *s, int n) { char b[9]; strcpy(b, s); b[n + n] = 0; use(b); }\n"
    )
    source = write(tmp_path, "a.c", text)
    (unit,) = compile_to_ir([source], FrontendOptions(cc=cc, opt_level=2), cache=cache)
    made = assembly(unit.bitcode)
    assert "_chk" not in made
    assert "ubsan" not in made


@pytest.mark.parametrize("suffix", [".cc", ".cpp", ".cxx", ".C"])
def test_cpp_suffixes(tmp_path: Path, cache: Cache, any_cc: str, suffix: str) -> None:
    source = write(tmp_path, f"a{suffix}", "namespace n { int f() { return 1; } }\n")
    (unit,) = compile_to_ir([source], FrontendOptions(cc=any_cc), cache=cache)
    assert unit.language == "c++"
    assert "_ZN1n1fEv" in assembly(unit.bitcode)


def test_cpp_library_headers(tmp_path: Path, cache: Cache, cc: str) -> None:
    source = write(tmp_path, "v.cc", HELLO_CC)
    (unit,) = compile_to_ir([source], FrontendOptions(cc=cc), cache=cache)
    assert "define" in assembly(unit.bitcode)


def test_several_kinds_in_one_run_keep_their_order(
    tmp_path: Path, cache: Cache, any_cc: str
) -> None:
    part = write(tmp_path, "part.ll", "define i32 @part() {\n  ret i32 1\n}\n")
    sources = [write(tmp_path, "a.c", HELLO), part, write(tmp_path, "b.cc", HELLO_CC)]
    units = compile_to_ir(sources, FrontendOptions(cc=any_cc), cache=cache)
    assert [unit.path for unit in units] == sources
    assert [unit.language for unit in units] == ["c", "ir", "c++"]
    bitcode = tmp_path / "part.bc"
    bitcode.write_bytes(units[1].bitcode)
    (again,) = compile_to_ir([bitcode], FrontendOptions(), cache=cache)
    assert again.key == units[1].key


def test_options_reach_the_compiler(tmp_path: Path, cache: Cache, any_cc: str) -> None:
    write(tmp_path, "inc/value.h", "#define VALUE 40\n")
    text = '#include "value.h"\nint f(void) { return VALUE + MORE + __STDC_VERSION__ / 10000; }\n'
    source = write(tmp_path, "a.c", text)
    options = FrontendOptions(
        cc=any_cc,
        opt_level=2,
        std="c99",
        includes=(str(tmp_path / "inc"),),
        defines=("MORE=2",),
        cflags=("-DUNUSED", "-Wall"),
    )
    (unit,) = compile_to_ir([source], options, cache=cache)
    assert "ret i32 61" in assembly(unit.bitcode).replace(f"{199901 // 10000 + 42}", "61")


def test_a_compile_error_is_shown_as_the_compiler_printed_it(
    tmp_path: Path, cache: Cache, cc: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path, "bad.c", "int main(void) { return x; }\n")
    with pytest.raises(UsageError, match=r"bad\.c: does not compile with (clang|zig) \d+"):
        compile_to_ir([source], FrontendOptions(cc=cc), cache=cache)
    shown = capsys.readouterr().err
    assert f"{source}:1:25: error: use of undeclared identifier 'x'" in shown
    assert "1 error generated." in shown


def test_warnings_are_shown_warm_as_cold(
    tmp_path: Path, cache: Cache, any_cc: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path, "warn.c", "int f(int a) { if (a = 1) return 2; return 3; }\n")
    shown = []
    for _ in range(2):
        compile_to_ir([source], FrontendOptions(cc=any_cc), cache=cache)
        shown.append(capsys.readouterr().err)
    assert "warning: using the result of an assignment" in shown[0]
    assert shown[0] == shown[1]


def forbid_compilers(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> str:
        raise AssertionError("a warm run starts no compiler")

    monkeypatch.setattr(frontend, "_run_compiler", forbidden)


def test_a_warm_run_starts_no_compiler(
    tmp_path: Path, cache: Cache, cc: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = [write(tmp_path, "a.c", HELLO), write(tmp_path, "b.cc", HELLO_CC)]
    cold = compile_to_ir(sources, FrontendOptions(cc=cc), cache=cache)
    forbid_compilers(monkeypatch)
    assert compile_to_ir(sources, FrontendOptions(cc=cc), cache=cache) == cold


def test_an_edited_header_is_seen(tmp_path: Path, cache: Cache, cc: str) -> None:
    header = write(tmp_path, "a.h", "#define VALUE 1111\n")
    source = write(tmp_path, "a.c", '#include "a.h"\nint f(void) { return VALUE; }\n')
    (first,) = compile_to_ir([source], FrontendOptions(cc=cc), cache=cache)
    before = header.stat()
    header.write_text("#define VALUE 2222\n")
    os.utime(header, ns=(before.st_atime_ns, before.st_mtime_ns))
    (second,) = compile_to_ir([source], FrontendOptions(cc=cc), cache=cache)
    assert "1111" in assembly(first.bitcode)
    assert "2222" in assembly(second.bitcode)


def test_a_header_that_hides_another_is_seen(tmp_path: Path, cache: Cache, cc: str) -> None:
    source = write(
        tmp_path, "a.c", "#include <time.h>\nint f(void) { return (int)sizeof(time_t); }"
    )
    options = FrontendOptions(cc=cc, includes=(str(tmp_path / "inc"),))
    (tmp_path / "inc").mkdir()
    compile_to_ir([source], options, cache=cache)
    write(tmp_path, "inc/time.h", "typedef struct { char c[77]; } time_t;\n")
    (unit,) = compile_to_ir([source], options, cache=cache)
    assert "ret i32 77" in assembly(unit.bitcode)


def test_a_file_named_by_a_flag_is_seen(tmp_path: Path, cache: Cache, any_cc: str) -> None:
    flags = write(tmp_path, "flags.txt", "-DVALUE=1111")
    source = write(tmp_path, "a.c", "int f(void) { return VALUE; }\n")
    options = FrontendOptions(cc=any_cc, cflags=(f"@{flags}",))
    compile_to_ir([source], options, cache=cache)
    write(tmp_path, "flags.txt", "-DVALUE=2222")
    (unit,) = compile_to_ir([source], options, cache=cache)
    assert "2222" in assembly(unit.bitcode)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.c", b"", "is empty"),
        ("notes.md", b"# notes", r"unknown kind of program; irsan reads \.c \.cc"),
        ("a.out", b"\x7fELF\x02", "is machine code"),
        ("broken.ll", b"frob", r"broken\.ll:1:1: error: expected top-level entity"),
        ("broken.bc", b"frob", "not LLVM bitcode"),
    ],
)
def test_what_is_no_program_is_refused(
    tmp_path: Path, cache: Cache, name: str, content: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UsageError, match=message):
        compile_to_ir([path], FrontendOptions(), cache=cache)


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        check_readable_program(tmp_path / "missing.c")
    with pytest.raises(UsageError, match="is a folder"):
        check_readable_program(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "a.c", HELLO)
    path.chmod(0)
    with pytest.raises(UsageError, match="cannot be read: Permission denied"):
        check_readable_program(path)


def test_flags_that_make_no_bitcode_are_named(tmp_path: Path, cache: Cache, any_cc: str) -> None:
    source = write(tmp_path, "a.c", HELLO)
    options = FrontendOptions(cc=any_cc, cflags=("-fsyntax-only",))
    with pytest.raises(UsageError, match="wrote no bitcode for these flags"):
        compile_to_ir([source], options, cache=cache)


def test_a_source_named_like_a_flag(
    tmp_path: Path, cache: Cache, any_cc: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "-x.c", HELLO)
    (unit,) = compile_to_ir([Path("-x.c")], FrontendOptions(cc=any_cc), cache=cache)
    assert unit.path == Path("-x.c")


def test_program_names() -> None:
    named = {"a.c": "c", "dir/a.bc": "ir", "a.C": "c++", "a": None, "c": None}
    assert {word: language_of(Path(word)) for word in named} == named


def test_bitcode_is_ir_under_any_name(tmp_path: Path) -> None:
    for name, start in (("a.o", b"BC\xc0\xde"), ("b", b"\xde\xc0\x17\x0b")):
        (tmp_path / name).write_bytes(start + bytes(20))
        assert language_of(tmp_path / name) == "ir"
    (tmp_path / "c.o").write_bytes(b"\x7fELF" + bytes(20))
    assert language_of(tmp_path / "c.o") is None
