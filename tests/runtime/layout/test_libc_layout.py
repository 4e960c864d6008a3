"""What the runtime holds of the C library's structures is what a C compiler says of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from irsan.interceptors.public_interface import syscall_table
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout import memory_map

HEADERS = [
    "aio.h", "arpa/inet.h", "dirent.h", "errno.h", "fcntl.h", "glob.h", "grp.h", "limits.h",
    "link.h", "linux/aio_abi.h", "linux/capability.h", "linux/futex.h", "linux/serial.h",
    "mqueue.h",
    "net/ethernet.h", "net/if.h", "net/route.h", "netdb.h", "netinet/in.h", "poll.h", "pthread.h",
    "pwd.h", "regex.h", "sched.h", "semaphore.h", "signal.h", "stdio.h", "stdlib.h", "sys/epoll.h",
    "sys/ioctl.h", "sys/ipc.h", "sys/mman.h", "sys/prctl.h", "sys/resource.h", "sys/sem.h",
    "sys/shm.h",
    "sys/socket.h", "sys/stat.h", "sys/statfs.h", "sys/statvfs.h", "sys/syscall.h", "sys/sysinfo.h",
    "sys/time.h", "sys/times.h", "sys/timex.h", "sys/uio.h", "sys/utsname.h", "sys/wait.h",
    "termios.h", "time.h", "ucontext.h", "unistd.h", "utime.h", "wordexp.h",
]  # fmt: skip
# What has another name in the headers, or none that may be included beside the rest.
CALLED = {
    "struct cap_data": "struct __user_cap_data_struct",
    "struct cap_header": "struct __user_cap_header_struct",
}
KERNEL_TYPES = {
    "struct kernel_sigaction": ("asm/signal.h", "struct sigaction"),
    "struct kernel_termios": ("asm/termbits.h", "struct termios"),
    "struct termio": ("asm/termios.h", "struct termio"),
}
PRIVATE = r"""
#define _GNU_SOURCE
#include <pthread.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
static long word(void *base, int at) { long v; memcpy(&v, (char *)base + at, 8); return v; }
int main(void) {
  pthread_attr_t a;
  pthread_attr_init(&a);
  pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
  pthread_attr_setguardsize(&a, 0x5000);
  printf("detached %ld\n", word(&a, FLAGS) & 1);
  printf("guard %ld\n", word(&a, GUARD));
  pthread_attr_setstack(&a, (void *)0x700000, 0x100000);
  printf("has stack %ld\n", word(&a, FLAGS) & HAS_STACK);
  printf("end %ld\n", word(&a, STACK_END));
  printf("size %ld\n", word(&a, STACK_SIZE));
  pthread_condattr_t c;
  pthread_condattr_init(&c);
  int before = *(int *)&c;
  pthread_condattr_setclock(&c, CLOCK_MONOTONIC);
  printf("clock %d\n", *(int *)&c ^ before);
  pthread_mutexattr_t m;
  pthread_mutexattr_init(&m);
  before = *(int *)&m;
  pthread_mutexattr_setrobust(&m, PTHREAD_MUTEX_ROBUST);
  printf("robust %d\n", *(int *)&m ^ before);
  sigset_t s;
  memset(&s, 0x5a, sizeof s);
  sigemptyset(&s);
  int n = 0;
  while (n < (int)sizeof s && ((char *)&s)[n] == 0) n++;
  printf("mask %d\n", n);
  regex_t r, q;
  memset(&r, 0, sizeof r);
  memset(&q, 0, sizeof q);
  regcomp(&r, "a", 0);
  regcomp(&q, "a", REG_NOSUB);
  printf("no sub %d\n", ((unsigned char *)&r)[REGEX] ^ ((unsigned char *)&q)[REGEX]);
  memset(&q, 0, sizeof q);
  q.regs_allocated = 3;
  printf("registers %d\n", ((unsigned char *)&q)[REGEX]);
  q.regs_allocated = REGS_REALLOCATE;
  printf("reallocate %d\n", ((unsigned char *)&q)[REGEX]);
}
"""


def compiled(text: str, folder: Path, name: str) -> list[str]:
    """The lines that a C program prints, compiled by the bundled compiler."""
    source, program = folder / f"{name}.c", folder / name
    source.write_text(text)
    cc = [sys.executable, "-m", "ziglang", "cc", "-target", "x86_64-linux-gnu.2.31"]
    subprocess.run([*cc, "-o", program, source, "-w"], check=True, timeout=300)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()


def wanted() -> dict[str, int]:
    return libc.SIZES | libc.OFFSETS | libc.CONSTANTS


def asked() -> dict[str, str]:
    """The C expression for each row of the tables."""
    sizes = {name: f"sizeof({CALLED.get(name, name)})" for name in libc.SIZES
             if name not in KERNEL_TYPES}  # fmt: skip
    parts = {name: name.partition(".") for name in libc.OFFSETS}
    offsets = {name: f"__builtin_offsetof({kind}, {member})"
               for name, (kind, _, member) in parts.items()}  # fmt: skip
    return sizes | offsets | {name: name for name in libc.CONSTANTS}


def test_headers_say_the_same(tmp_path: Path) -> None:
    includes = "".join(f"#include <{header}>\n" for header in HEADERS)
    rows = "".join(f'printf("%s\\t%lld\\n", "{name}", (long long)({expression}));\n'
                   for name, expression in asked().items())  # fmt: skip
    text = f"#define _GNU_SOURCE\n{includes}\nint main(void) {{\n{rows}}}\n"
    lines = dict(line.split("\t") for line in compiled(text, tmp_path, "headers"))
    said = {name: int(value) for name, value in lines.items()}
    assert said == {name: wanted()[name] for name in said}
    assert len(said) > 120


@pytest.mark.parametrize("name", sorted(KERNEL_TYPES))
def test_types_of_the_kernel(name: str, tmp_path: Path) -> None:
    header, kind = KERNEL_TYPES[name]
    main = f'int main(void) {{ printf("%d\\n", (int)sizeof({kind})); }}'
    text = f"#include <{header}>\nint printf(const char *, ...);\n{main}\n"
    assert compiled(text, tmp_path, "kernel") == [str(libc.size(name))]


def test_what_the_c_library_keeps_to_itself(tmp_path: Path) -> None:
    defines = {
        "FLAGS": libc.ATTR_FLAGS, "GUARD": libc.ATTR_GUARD, "STACK_END": libc.ATTR_STACK_END,
        "STACK_SIZE": libc.ATTR_STACK_SIZE, "HAS_STACK": libc.ATTR_HAS_STACK,
        "REGEX": libc.REGEX_FLAGS,
    }  # fmt: skip
    text = "".join(f"#define {name} {value}\n" for name, value in defines.items()) + PRIVATE
    assert compiled(text, tmp_path, "private") == [
        "detached 1", f"guard {0x5000}", f"has stack {libc.ATTR_HAS_STACK}",
        f"end {0x800000}", f"size {0x100000}", f"clock {libc.CONDATTR_CLOCK}",
        f"robust {libc.ROBUST_ATTRIBUTE}", f"mask {libc.SIGNAL_MASK_BYTES}",
        f"no sub {libc.REGEX_NO_SUB}", f"registers {libc.REGEX_REGISTERS}",
        f"reallocate {libc.REGEX_REALLOCATE}",
    ]  # fmt: skip


def test_sizes_of_system_calls_are_those_of_types() -> None:
    words = syscall_table.syscall_ranges()
    assert words["recvmsg"] == ("r1:msghdr", "w1m")
    assert syscall_table.word_to_number("r1:msghdr") == syscall_table.word_to_number("r1:56")
    with pytest.raises(ValueError, match="nothing is no type"):
        syscall_table.word_to_number("r1:nothing")


def test_limits_of_the_c_library() -> None:
    assert libc.constant("PTHREAD_KEYS_MAX") == memory_map.N_KEYS
