"""Our layout against clang's runtime: same lines in the same order once names are normalised.

Needs a clang with the sanitizer runtimes; skipped without. Each program is compiled and run, its
report and our golden sample are reduced to the shape of their lines, and the shapes compared.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from irsan.reports.text.report import format_finding
from irsan.reports.text.style import TextStyle
from tests.reports import samples

CLANG = shutil.which("clang-19")
CLANGXX = shutil.which("clang++-19")
pytestmark = pytest.mark.skipif(not (CLANG and CLANGXX), reason="no clang with runtimes")

MEMORY = {
    "heap-buffer-overflow": "int main(){volatile char*p=malloc(13);p[13]=1;}",
    "heap-buffer-underflow": "int main(){volatile char*p=malloc(20);return p[-1];}",
    "heap-use-after-free": "int f(int*p){return p[1];}"
    "int main(){int*p=malloc(40);free(p);return f(p);}",
    "stack-buffer-overflow": "int main(int c,char**v){volatile char a[10];a[c+9]=1;}",
    "dynamic-stack-buffer-overflow": "int main(int c,char**v){volatile char a[c+9];a[c+9]=1;}",
    "global-buffer-overflow": "int g[10];int main(int c,char**v){return g[c+9];}",
    "double-free": "int main(){void*p=malloc(4);free(p);free(p);}",
    "bad-free": "int main(){char a[4];void*volatile p=a;free(p);}",
    "alloc-dealloc-mismatch": "int main(){int*volatile p=new int[3];free(p);}",
    "new-delete-type-mismatch": "int main(){void*volatile p=operator new(20);"
    "operator delete(p,(unsigned long)4);}",
    "negative-size-param": "int main(){char*p=malloc(9);volatile int n=-1;memset(p,0,n);}",
    "calloc-overflow": "int main(){volatile size_t n=-1;return !calloc(n,4);}",
    "allocation-size-too-big": "int main(){volatile size_t n=1ul<<50;return !malloc(n);}",
    "invalid-posix-memalign-alignment": "int main(){volatile size_t n=17;void*p;"
    "return !posix_memalign(&p,n,10);}",
    "FPE": "int main(){volatile int a=1,b=0;return a/b;}",
}
RACES = {
    "race-heap": "int*h,d;void*f(void*x){long v=h[1];__atomic_store_n(&d,1,0);return (void*)v;}"
    "int main(){pthread_t t;h=malloc(40);pthread_create(&t,0,f,0);"
    "while(!__atomic_load_n(&d,0));h[1]=2;"
    "pthread_join(t,0);}",
    "thread-leak": "void*f(void*x){return 0;}int main(){pthread_t t;"
    "for(int i=0;i<3;i++)pthread_create(&t,0,f,0);sleep(1);}",
    "lock-order-inversion": "pthread_mutex_t a,b;void*f(void*x){pthread_mutex_lock(&b);"
    "pthread_mutex_lock(&a);pthread_mutex_unlock(&a);pthread_mutex_unlock(&b);return 0;}"
    "int main(){pthread_t t;pthread_mutex_lock(&a);pthread_mutex_lock(&b);"
    "pthread_mutex_unlock(&b);pthread_mutex_unlock(&a);pthread_create(&t,0,f,0);"
    "pthread_join(t,0);}",
}
HEADERS = "".join(
    f"#include <{h}.h>\n" for h in ("stdlib", "string", "pthread", "unistd", "malloc")
)
# Lines that depend on the program, or that only one of the two has.
IGNORED = re.compile(
    r"^(replay: |ThreadSanitizer: reported|  As if synchronized|    #\d+ .*(_start|libc_|sleep))"
)
HIGH_LEVEL = (
    (re.compile(r" \(BuildId: \w+\)"), ""),
    (re.compile(r"^    #\d+ .*"), "    frame"),
    (re.compile(r"^(SUMMARY: \w+: .*?)( \(?/| <).*"), r"\1"),
    (re.compile(r"^(..0x\w+|=>0x\w+):.*"), "shadow row"),
    (re.compile(r"^.{3} = 0x.*"), "registers"),
    (re.compile(r" \(\S+\+0x\w+\)"), ""),
    (re.compile(r"0x[0-9a-f]+"), "ADDRESS"),
    (re.compile(r"'[^']*'"), "'NAME'"),
    (re.compile(r"\d+"), "N"),
    (re.compile(r"(running|finished)|main thread|thread TN"), "X"),
    (re.compile(r"TN 'NAME' "), "TN "),
)


def shape(text: str) -> list[str]:
    lines: list[str] = []
    for line in text.splitlines():
        if IGNORED.match(line):
            continue
        for pattern, replacement in HIGH_LEVEL:
            line = pattern.sub(replacement, line)
        if line in ("    frame", "shadow row", "registers") and lines[-1:] == [line]:
            continue
        lines.append(line)
    return lines


def native_report(tmp_path: Path, source: str, sanitizer: str) -> str:
    plus = "new " in source or "operator" in source
    path = tmp_path / ("a.cc" if plus else "a.c")
    path.write_text(HEADERS + source)
    program = tmp_path / "a.out"
    compiler = CLANGXX if plus else CLANG
    flags = ["-g", "-O0", "-w", "-fno-builtin", f"-fsanitize={sanitizer}"]
    subprocess.run([compiler, *flags, path, "-o", program], check=True, timeout=60)
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
    fixed = ["setarch", "-R"] if shutil.which("setarch") else []
    run = subprocess.run(
        [*fixed, program], capture_output=True, text=True, timeout=60, env=environment
    )
    return run.stderr


@pytest.mark.parametrize("name", MEMORY)
def test_memory_layout(name: str, tmp_path: Path) -> None:
    native = shape(native_report(tmp_path, MEMORY[name], "address"))
    ours = shape(format_finding(samples.MEMORY[name], TextStyle(pid=1)))
    assert without_shadow(ours) == without_shadow(native)
    if samples.MEMORY[name].shadow:
        assert ours == native


@pytest.mark.parametrize("name", RACES)
def test_race_layout(name: str, tmp_path: Path) -> None:
    native = native_report(tmp_path, RACES[name], "thread")
    if "FATAL" in native:
        pytest.skip("the native runtime does not start here")
    ours = format_finding(samples.RACES[name], TextStyle(pid=1))
    assert shape(ours) == shape(native)


def without_shadow(lines: list[str]) -> list[str]:
    if "Shadow bytes around the buggy address:" not in lines:
        return lines
    start = lines.index("Shadow bytes around the buggy address:")
    return lines[:start] + lines[-1:]
