"""irsan-cc beside the compiler under it: the same status, files, rules and output."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from irsan.engine.builds.toolchain import find_toolchain

FILES = {
    "main.c": '#include "twice.h"\nint main(int c, char **v) { return twice(c) - 2; }\n',
    "twice.c": '#include "twice.h"\nint twice(int x) { return 2 * x; }\n',
    "twice.h": "int twice(int);\n",
    "one.inc": "int main(void) { return 0; }\n",
    "one.cpp": "int main() { bool b = true; return !b; }\n",
    "both.cpp": "int main(void) { int class = 0; return class; }\n",
    "pp.S": "#define N 2\n.globl twice\ntwice: lea (%rdi,%rdi), %eax\nret\n"
            '.section .note.GNU-stack,"",@progbits\n',
    "gen.c": '#include "generated.h"\nint g(void) { return 1; }\n',
    "all.h": "#define FROM_ALL 1\nint puts(const char *);\n",
    "pch.c": '#include "all.h"\nint main(void) { puts("x"); return FROM_ALL - 1; }\n',
    "mod.cppm": "export module m; export int f() { return 1; }\n",
    "words": "-DA=\\\"x\\\\\\ y\\\" -include 'twice.h' @more",
    "more": '"twice.c"\n-c  -o\ttw.o',
}  # fmt: skip
ELF_KIND_AT = 16
SAME = (
    "main.c twice.c && ./a.out",
    "-c main.c twice.c",
    "-c main.c twice.c -o x.o",
    "-c",
    "@words",
    "-c -x c one.inc -o one.o",
    "-x c one.inc -x none twice.c",
    "-c -x c both.cpp",
    "-c -x foo twice.c",
    "-E -dM -DMINE twice.c | grep MINE",
    "-E twice.c -o tw.i && CC -Werror -c tw.i",
    "-MM -MG gen.c",
    "-M -MP -MT foo.o twice.c -MF tw.d",
    "-MD -c twice.c",
    "-MMD -MP -MQ 'a$b' -c twice.c -o t.o",
    "-MMD main.c twice.c",
    "-Wp,-MMD,.tw.d -c twice.c -o t.o",
    "-S twice.c -o - | grep -c twice:",
    "-S -emit-llvm twice.c -o t.ll",
    "-shared -fPIC twice.c -o libt.so",
    "-static-pie -fPIE main.c twice.c && ./a.out",
    "-no-pie main.c twice.c && ./a.out",
    "-r -nostdlib main.c twice.c -o t.o && CC t.o && ./a.out",
    "-c -o - twice.c | head -c 4",
    "-x c - -c -o t.o < twice.c",
    "all.h && CC -include all.h pch.c && ./a.out",
    "-c pp.S && CC main.c pp.o && ./a.out",
    "-save-temps=obj -c twice.c -o t.o",
    "-gsplit-dwarf -c twice.c",
    "-g -gsplit-dwarf -c twice.c -o t.o",
    "-target x86_64-linux-gnu -c twice.c",
    "-print-file-name=crt1.o",
    "-dumpmachine",
    "-fsyntax-only gen.c",
    "-fno-common -flto=thin -c twice.c main.c && CC -flto main.o twice.o && ./a.out",
    "-std=c++20 -fmodule-output -x c++-module -c mod.cppm",
)


def made(folder: Path) -> dict[str, str]:
    """What a command has left behind: the text of files, the kind of binary ones."""
    found = {}
    for path in folder.iterdir():
        if path.name in FILES:
            continue
        raw = path.read_bytes()
        if raw.startswith((b"\x7fELF", b"BC\xc0\xde")):  # an object for LTO is a native one here
            kind = raw[ELF_KIND_AT] if raw.startswith(b"\x7fELF") else 1
            found[path.name] = f"code {kind}"
        else:
            is_text = path.suffix in (".d", ".i") and b"\0" not in raw
            text = re.sub(r'# \d+ "<built-in>"', '# "<built-in>"', raw.decode()) if is_text else ""
            found[path.name] = text or path.suffix
    return found


def outcome(folder: Path, compiler: Sequence[str], line: str) -> tuple[int, str, dict[str, str]]:
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    command = " ".join(f"'{word}'" for word in compiler)
    done = subprocess.run(
        ["sh", "-c", f"{command} {line.replace('CC', command)}"], cwd=folder, text=True,
        capture_output=True, errors="replace",
        env={**os.environ, "IRSAN_AHEAD": "off", "TMPDIR": str(folder.parent)},
    )  # fmt: skip
    assert "irsan-cc: error" not in done.stderr
    return done.returncode, done.stdout, made(folder)


def wrapper() -> list[str]:
    code = "import sys; from irsan.compiler_wrapper import main_c; sys.exit(main_c())"
    return [sys.executable, "-c", code]


@pytest.mark.parametrize("line", SAME)
def test_it_does_what_the_compiler_does(tmp_path: Path, line: str) -> None:
    toolchain = find_toolchain(os.environ)
    if not toolchain.is_whole:
        pytest.skip("zig's own driver links: there is no plain compiler to compare with")
    plain = outcome(tmp_path / "plain", toolchain.driver(is_cxx=False), line)
    if plain[0] and "-flto" in line:
        pytest.skip("the linker of this machine knows no LTO")
    assert outcome(tmp_path / "irsan", wrapper(), line) == plain


def said(folder: Path, *words: str) -> tuple[int, str]:
    for name, text in FILES.items():
        (folder / name).write_text(text)
    done = subprocess.run([*wrapper(), *words], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stderr


def test_words_of_gcc(tmp_path: Path) -> None:
    tuned = ("-fno-ipa-pta", "-fconserve-stack", "-fvar-tracking", "-mstringop-strategy=x")
    assert said(tmp_path, *tuned, "-Werror", "-c", "twice.c") == (0, "")
    status, notice = said(tmp_path, "-fanalyzer", "-c", "twice.c")
    assert status == 0 and "notice: left out, as gcc alone knows it: -fanalyzer" in notice
    status, refusal = said(tmp_path, "-fpcc-struct-return", "-c", "twice.c")
    assert status == 1 and "-fpcc-struct-return" in refusal


def test_what_is_never_checked(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text("int main() { return 0; }\n")
    status, refusal = said(tmp_path, "-c", "k.cu")
    assert status == 69 and "k.cu: is CUDA" in refusal
    status, notice = said(tmp_path, "-m32", "-c", "twice.c")
    assert status == 0 and "-m32: code for another machine is not checked" in notice
