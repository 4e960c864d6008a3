"""irsan-c++ -stdlib=checked: C++ for the checked library, in objects, links and runs."""

from __future__ import annotations

import importlib.util
import os
from dataclasses import replace
from pathlib import Path

import pytest

from irsan.engine.builds.cxx_choice import (
    is_for_checked,
    library_words,
    refuse_mixed,
    with_checked_library,
    without_choice,
)
from irsan.engine.builds.toolchain import find_toolchain
from irsan.engine.builds.words import parse_words
from irsan.engine.builds.zig_clang import has_system, library_headers
from irsan.engine.inputs.carried import read_carried
from irsan.errors import UsageError
from tests.engine.builds.test_built_programs import started
from tests.engine.builds.test_driver import ZIG, Build

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("ziglang") is None or not has_system(),
    reason="needs the extra irsan[cc] and the system's headers",
)

LIBRARY = """
#include <stdexcept>
#include <string>
#include <vector>
std::string joined(const std::vector<std::string> &parts) {
    if (parts.empty()) throw std::runtime_error("nothing to join");
    std::string all;
    for (const auto &part : parts) all += part;
    return all;
}
char at(const std::string &text, int index) { return text[index]; }
"""
PROGRAM = """
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <vector>
std::string joined(const std::vector<std::string> &);
char at(const std::string &, int);
int main(int argc, char **argv) {
    try { joined({}); } catch (const std::exception &e) { std::cout << e.what() << std::endl; }
    std::cout << at(joined({"ab", "c"}), argc > 1 ? std::atoi(argv[1]) : 2) << std::endl;
}
"""
PLUGIN = """
#include <regex>
#include <sstream>
#include <stdexcept>
extern "C" int matches(const char *text, int index) {
    std::ostringstream all;
    all << text;
    try { if (all.str().empty()) throw std::runtime_error("empty"); }
    catch (const std::exception &) { return -1; }
    std::smatch found;
    const std::string whole = all.str();
    std::regex_match(whole, found, std::regex("(a+)(b*)"));
    return found.str(2)[index];
}
"""
HOST = """
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int (*matches)(const char *, int);
    for (int i = 0; i < 2; i++) {
        void *plugin = dlopen("./plugin.so", RTLD_NOW);
        if (!plugin) { puts(dlerror()); return 1; }
        matches = (int (*)(const char *, int))dlsym(plugin, "matches");
        printf("%d %d\\n", matches("", 0), matches("aab", argc > 1 ? atoi(argv[1]) : 0));
        dlclose(plugin);
    }
}
"""


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    monkeypatch.setenv("IRSAN_CC", " ".join(ZIG))
    found = Build(tmp_path)
    found.file("lib.cpp", LIBRARY)
    found.file("prog.cpp", PROGRAM)
    return found


@pytest.mark.parametrize(
    ("said", "named", "rest", "choice"),
    [
        ("-c a.cpp", "", "-c a.cpp", ""),
        ("-c a.cpp", "stdlib=checked", "-c a.cpp", "checked"),
        ("-stdlib=checked -c a.cpp", "", "-c a.cpp", "checked"),
        ("-c --stdlib=checked a.cpp", "stdlib=native", "-c a.cpp", "checked"),
        ("-stdlib=checked -stdlib=native -c a.cpp", "stdlib=checked", "-c a.cpp", "native"),
        ("-stdlib=libc++ a.o", "stdlib=checked", "-stdlib=libc++ a.o", "checked"),
        ("-stdlib=libc++ a.o", "", "-stdlib=libc++ a.o", ""),
        ("-stdlib=libstdc++ a.o", "stdlib=checked", "-stdlib=libstdc++ a.o", "native"),
    ],
)
def test_the_library_that_a_command_chooses(
    said: str, named: str, rest: str, choice: str
) -> None:
    words, found = without_choice(parse_words(said.split()), {"IRSAN_OPTIONS": named})
    assert (" ".join(words.words), found) == (rest, choice)


def test_a_library_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown 'chekced'"):
        without_choice(parse_words(["a.cpp"]), {"IRSAN_OPTIONS": "stdlib=chekced"})


def test_a_compiler_without_the_sources_is_refused_for_cxx_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("IRSAN_CC", " ".join(ZIG))
    zig = find_toolchain(os.environ)
    words = parse_words(["-c", "a.c"])
    clang = replace(zig, checked_headers=())
    assert not with_checked_library(clang, words, is_cxx=False).is_checked
    with pytest.raises(UsageError, match="-stdlib=checked: the C\\+\\+ library comes as source"):
        with_checked_library(clang, parse_words(["-c", "a.cpp"]), is_cxx=False)


def test_only_links_are_given_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRSAN_CC", " ".join(ZIG))
    words = parse_words(["a.cpp", "-o", "a"])
    toolchain = with_checked_library(find_toolchain(os.environ), words, is_cxx=True)
    first, *files = library_words(toolchain, words)
    assert first == "-nostdlib++" and all(Path(one).is_file() for one in files)
    assert not library_words(toolchain, parse_words(["-c", "a.cpp"]))
    assert not library_words(toolchain, parse_words(["-nostdlib", "a.o"]))
    assert not library_words(find_toolchain(os.environ), words)


def test_a_program_and_its_library_share_the_checked_one(build: Build) -> None:
    build.run("-stdlib=checked", "-fPIC", "-shared", "lib.cpp", "-o", "libj.so", cxx=True)
    build.run("-stdlib=checked", "-c", "prog.cpp", cxx=True)
    build.run("prog.o", "-L.", "-lj", "-Wl,-rpath,$ORIGIN", "-o", "prog", cxx=True)
    assert [one.stdlib for one in read_carried(build.folder / "prog")] == ["checked"]
    assert build.native("prog") == "nothing to join\nc\n"
    clean = started(build, "./prog")
    assert (clean.returncode, clean.stdout, clean.stderr) == (0, "nothing to join\nc\n", "")
    found = started(build, "./prog", "4")
    assert found.returncode == 66 and "library-precondition" in found.stderr
    assert "lib.cpp:11" in found.stderr


def test_values_are_followed_through_the_library(build: Build) -> None:
    build.file("unset.cpp", """
#include <string>
int main(int argc, char **) {
    char bytes[4];
    bytes[0] = 'a';
    std::string text(bytes, argc > 1 ? 2 : 1);
    text += "b";
    return text.back() == text[1] ? 0 : 1;
}
""")  # fmt: skip
    build.run("-stdlib=checked", "-fsanitize=memory", "-O0", "unset.cpp", "-o", "prog", cxx=True)
    clean = started(build, "./prog")
    assert (clean.returncode, clean.stderr) == (0, "")
    found = started(build, "./prog", "x")
    assert "use-of-uninitialized-value" in found.stderr and "unset.cpp" in found.stderr


def test_code_for_two_libraries_is_refused_by_name(build: Build) -> None:
    build.run("-stdlib=checked", "-c", "prog.cpp", cxx=True)
    build.run("-c", "lib.cpp", cxx=True)
    refused = build.run("prog.o", "lib.o", "-o", "prog", cxx=True, status=2)
    assert "prog.cpp was compiled for the checked C++ library, lib.cpp was not" in refused
    build.file("plain.cpp", "int plain() { return 1; }")
    build.run("-c", "plain.cpp", cxx=True)
    build.tool(*ZIG, "ar", "rcs", "libplain.a", "plain.o")
    with pytest.raises(UsageError, match=r"plain.cpp was not"):
        refuse_mixed(str(build.folder / one) for one in ("prog.o", "libplain.a"))
    build.file("alone.cpp", "int plain(); int main() { return plain(); }")
    build.run("-stdlib=checked", "-c", "alone.cpp", cxx=True)
    build.run("alone.o", "plain.o", "-o", "prog", cxx=True, status=2)
    assert not (build.folder / "prog").exists()


def test_a_link_takes_the_library_of_its_objects(build: Build) -> None:
    build.run("-stdlib=checked", "-c", "prog.cpp", cxx=True)
    words = parse_words([str(build.folder / "prog.o")])
    assert is_for_checked(words, "", is_cxx=True)
    assert not is_for_checked(words, "native", is_cxx=True)
    assert not is_for_checked(words, "", is_cxx=False)


def test_an_opened_library_brings_what_is_missing(build: Build) -> None:
    build.file("plugin.cpp", PLUGIN)
    build.file("host.c", HOST)
    build.file("host.cpp", "#include <iostream>\n" + HOST)
    build.run("-stdlib=checked", "-fPIC", "-shared", "plugin.cpp", "-o", "plugin.so", cxx=True)
    build.run("-stdlib=checked", "host.c", "-o", "c-host")
    build.run("-stdlib=checked", "host.cpp", "-o", "c++-host", cxx=True)
    for host in ("./c-host", "./c++-host"):
        clean = started(build, host)
        assert (clean.stdout, clean.stderr) == ("-1 98\n-1 98\n", "")
        found = started(build, host, "9")
        assert "library-precondition" in found.stderr and "plugin.cpp:13" in found.stderr


def test_headers_are_found_from_every_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.find_spec("ziglang")
    assert spec is not None and spec.origin is not None
    monkeypatch.chdir(Path(spec.origin).parent.parent)  # zig shortens what lies inside
    found = library_headers((*ZIG, "c++"))
    folders = [word for word in found if "/libcxx" in word]
    assert folders and all(Path(one).is_absolute() and Path(one).is_dir() for one in folders)
