"""Programs linked with the checked C++ library: who gets it, and what it works beside."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from irsan.engine.cache import Cache
from irsan.engine.commands.batch import BatchRunner, RunResult
from irsan.engine.native_libraries.library_search import find_library
from irsan.engine.options import CHECKED, NATIVE, RunOptions
from irsan.engine.run.cxx_library import RunCxxLibrary
from irsan.errors import UsageError
from tests.support.irsan_runs import bundled_compiler

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("ziglang") is None, reason="needs the extra irsan[cc]"
)

CAST = """
struct Base { virtual ~Base() = default; };
struct Derived : Base { int n = 3; };
int main() {
    Base *base = new Derived;
    delete base;
    return dynamic_cast<Derived *>(base) == nullptr;
}
"""
THROWING = """
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>
int parse(const std::string &text) { return std::stoi(text); }
int main() {
    try { parse("none"); }
    catch (const std::invalid_argument &e) { std::cout << e.what() << '\\n'; }
    try { std::vector<int>(3).at(7); } catch (const std::out_of_range &e) { std::cout << "out\\n"; }
    try { try { throw std::string("again"); } catch (...) { throw; } }
    catch (const std::string &s) { std::cout << s << std::endl; }
}
"""
INDEX = """
#include <vector>
int main(int argc, char **) {
    std::vector<int> v(3);
    return v[argc + 2];
}
"""


def run(runner: BatchRunner, path: Path, **more: Any) -> RunResult:
    more = {"stdlib": CHECKED, "cc": bundled_compiler(), "std": "c++20"} | more
    (result,) = runner.run([path], **more)
    return result


def program(folder: Path, text: str, name: str = "a.cpp") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_a_program_that_names_nothing_of_libcxx_gets_it_as_well(
    runner: BatchRunner, tmp_path: Path
) -> None:
    (finding,) = run(runner, program(tmp_path, CAST)).findings
    assert finding["kind"] == "heap-use-after-free"
    frames = finding["stacks"][0]["frames"]
    assert frames[0]["file"].endswith("private_typeinfo.cpp")
    assert any(one["function"] == "main" for one in frames)


@pytest.mark.parametrize(
    ("text", "kind"), [(CAST, "heap-use-after-free"), (INDEX, "library-precondition")]
)
def test_it_is_the_default(runner: BatchRunner, tmp_path: Path, text: str, kind: str) -> None:
    (finding,) = run(runner, program(tmp_path, text), stdlib="").findings
    assert finding["kind"] == kind


@pytest.mark.skipif(shutil.which("clang-19") is None, reason="needs clang-19")
def test_it_is_not_with_another_compiler(runner: BatchRunner, tmp_path: Path) -> None:
    (finding,) = run(runner, program(tmp_path, INDEX), stdlib="", cc="clang-19").findings
    assert finding["kind"] == "heap-buffer-overflow"


def test_exceptions_of_the_library_are_caught_as_ever(
    runner: BatchRunner, tmp_path: Path
) -> None:
    result = run(runner, program(tmp_path, THROWING))
    assert (result.findings, result.exit_status) == ([], 0)
    assert result.stdout == b"stoi: no conversion\nout\nagain\n"


def test_a_broken_precondition_says_what_was_asked_for(
    runner: BatchRunner, tmp_path: Path
) -> None:
    result = run(runner, program(tmp_path, INDEX))
    (finding,) = result.findings
    assert finding["kind"] == "library-precondition"
    details = finding["details"]
    assert details["reason"] == "precondition"
    assert "out of bounds" in details["message"]
    assert details["expression"] == "__n < size()"
    assert "Broken precondition: " in result.stderr
    assert "a.cpp:5:12 in main" in result.stderr


def test_the_users_own_mode_of_hardening_counts(runner: BatchRunner, tmp_path: Path) -> None:
    none = ("-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE", "-Wno-macro-redefined")
    kinds = [one["kind"] for one in run(runner, program(tmp_path, INDEX), cflags=none).findings]
    assert kinds == ["heap-buffer-overflow"]


def test_natively_nothing_is_hardened(runner: BatchRunner, tmp_path: Path) -> None:
    kinds = [one["kind"] for one in run(runner, program(tmp_path, INDEX), stdlib=NATIVE).findings]
    assert kinds == ["heap-buffer-overflow"]


@pytest.mark.skipif(shutil.which("clang-19") is None, reason="needs clang-19")
def test_another_compiler_has_no_library_as_source(runner: BatchRunner, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"--stdlib checked: .*this run compiles with clang 19"):
        run(runner, program(tmp_path, INDEX), cc="clang-19")


def test_code_without_checks_of_the_same_library_may_lie_beside(
    runner: BatchRunner, tmp_path: Path
) -> None:
    """A part that was compiled without hardening fills strings and vectors of the checked one."""
    part = program(tmp_path, """
#include <string>
#include <vector>
void fill(std::vector<std::string> &all, std::string &text) {
    for (int i = 0; i < 50; ++i) { all.push_back(std::to_string(i)); text += all.back(); }
}
""", "part.cpp")  # fmt: skip
    words = [sys.executable, "-m", "ziglang", "c++", "-target", "x86_64-linux-gnu.2.31"]
    flags = ["-O1", "-fno-sanitize=all", "-c", "-emit-llvm"]
    bitcode = tmp_path / "part.bc"
    subprocess.run([*words, *flags, part, "-o", bitcode], check=True, capture_output=True)
    main = program(tmp_path, """
#include <iostream>
#include <string>
#include <vector>
void fill(std::vector<std::string> &all, std::string &text);
int main() {
    std::vector<std::string> all{"a"};
    std::string text;
    fill(all, text);
    all.push_back(text);
    std::cout << all.size() << ' ' << all.back().size() << std::endl;
}
""")  # fmt: skip
    (result,) = runner.run(
        [main, bitcode], stdlib=CHECKED, cc=bundled_compiler(), std="c++20"
    )
    assert (result.findings, result.stdout) == ([], b"52 90\n")


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_a_native_library_keeps_a_library_of_its_own(runner: BatchRunner, tmp_path: Path) -> None:
    """libstdc++ in a linked library, with exceptions and memory of its own."""
    source = program(tmp_path, """
#include <map>
#include <stdexcept>
#include <string>
static std::map<std::string, int> seen;
extern "C" int count_word(const char *word) {
    try {
        if (!*word) throw std::runtime_error("empty");
        return ++seen[word];
    } catch (const std::exception &) { return -1; }
}
""", "native.cpp")  # fmt: skip
    library = tmp_path / "libnative.so"
    subprocess.run(["g++", "-O1", "-fPIC", "-shared", source, "-o", library], check=True)
    main = program(tmp_path, """
#include <iostream>
#include <string>
#include <vector>
extern "C" int count_word(const char *);
int main() {
    for (auto &word : std::vector<std::string>{"a", "b", "a", ""})
        std::cout << word << count_word(word.c_str()) << ' ';
}
""")  # fmt: skip
    result = run(
        runner, main, libraries=("native",), library_folders=(str(tmp_path),),
        environment={"LD_LIBRARY_PATH": str(tmp_path)},
    )  # fmt: skip
    assert (result.findings, result.stdout) == ([], b"a1 b1 a2 -1 ")


OTHER_LIBCXX = """
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
static std::map<std::string, int> seen;
int count(const std::string &word) {
    try { if (word.empty()) throw std::runtime_error("empty"); return ++seen[word]; }
    catch (const std::exception &) { return -1; }
}
std::string all(const std::function<std::string(const std::string &)> &shown) {
    std::ostringstream text;
    for (auto &one : seen) text << shown(one.first) << one.second << ' ';
    return text.str();
}
void refuse(int n) { if (n > 0) throw std::out_of_range("refused " + std::to_string(n)); }
"""
USE_OF_OTHER = """
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
int count(const std::string &);
std::string all(const std::function<std::string(const std::string &)> &);
void refuse(int);
int main() {
    std::cout << count("a word that is not short") << count("") << ' ';
    std::cout << all([](const std::string &word) { return word + "!"; }) << std::endl;
#ifdef THROWING
    try { refuse(3); } catch (const std::out_of_range &e) { std::cout << e.what() << std::endl; }
    try { all([](const std::string &) -> std::string { throw std::logic_error("through"); }); }
    catch (const std::logic_error &e) { std::cout << e.what() << std::endl; }
#endif
}
"""


def beside(
    runner: BatchRunner, folder: Path, *defines: str, compiler: list[str]
) -> tuple[list[Any], bytes]:
    """What a program prints beside a native library that a compiler has made for a libc++."""
    source = program(folder, OTHER_LIBCXX, "native.cpp")
    words = ["-O1", "-fPIC", "-shared", str(source), "-o", str(folder / "libnative.so")]
    subprocess.run([*compiler, *words], check=True)
    result = run(
        runner, program(folder, USE_OF_OTHER), libraries=("native",), defines=defines,
        library_folders=(str(folder),), environment={"LD_LIBRARY_PATH": str(folder)},
    )  # fmt: skip
    return result.findings, result.stdout


def test_a_native_library_may_have_a_libcxx_in_it(runner: BatchRunner, tmp_path: Path) -> None:
    zig = [sys.executable, "-m", "ziglang", "c++", "-fno-sanitize=all"]
    printed = b"1-1 a word that is not short!1 \n"
    assert beside(runner, tmp_path, compiler=zig) == ([], printed)


@pytest.mark.skipif(
    shutil.which("clang++-14") is None or find_library("libc++.so.1") is None,
    reason="needs Debian's clang and libc++",
)
def test_exceptions_cross_a_native_library_with_another_libcxx(
    runner: BatchRunner, tmp_path: Path
) -> None:
    """It needs LLVM's libunwind, and is given the unwinder that the program has."""
    printed = b"1-1 a word that is not short!1 \nrefused 3\nthrough\n"
    made = beside(runner, tmp_path, "THROWING", compiler=["clang++-14", "-stdlib=libc++"])
    assert made == ([], printed)


def test_for_which_programs_it_is_meant(tmp_path: Path) -> None:
    runtime: Any = None
    cache = Cache(tmp_path)

    def meant(name: str, stdlib: str, *wanted: str) -> bool:
        options = RunOptions((Path(name),), stdlib=stdlib, cc=bundled_compiler())
        return RunCxxLibrary(options, cache, runtime).is_meant(wanted)

    assert meant("a.cpp", CHECKED)
    assert not meant("a.cpp", NATIVE)
    assert not meant("a.cpp", "")
    assert meant("a.cpp", "", "__dynamic_cast")
    assert not meant("a.cpp", NATIVE, "__dynamic_cast")
    assert not meant("a.c", CHECKED)
