"""C++ programs through the loader: exceptions, iostream, map, threads, thread-locals.

With libstdc++ (a private copy, IR by clang) and with the bundled compiler's libc++ (archives).
The programs run in a process of their own, on its ordinary stack, without any sanitizer.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from irsan.cachedir import cache_root
from irsan.engine.cache import Cache
from irsan.engine.front_end.compilers import choose_compiler, compiler_environment
from irsan.engine.native_libraries.library_search import find_library
from irsan.engine.native_libraries.zig_runtime import zig_cxx_archives
from tests.support.jit import run_snippet

PROGRAM = """
#include <cstdio>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
struct Base { virtual ~Base() {} virtual int kind() { return 1; } };
struct Derived : Base { int kind() override { return 2; } };
thread_local int per_thread = 41;
struct Early { Early() { std::puts("constructed"); } } early;
int main() {
  std::map<std::string, int> rows;
  rows["a"] = 1;
  try { throw std::runtime_error("boo"); }
  catch (std::exception &error) { std::cout << "caught " << error.what() << std::endl; }
  std::thread worker([&] { per_thread++; rows["c"] = 3;
                           std::cout << "worker " << per_thread << std::endl; });
  worker.join();
  Base *base = new Derived;
  std::cout << dynamic_cast<Derived *>(base)->kind() << rows.size() << per_thread << std::endl;
  delete base;
  try { rows.at("zz"); } catch (std::out_of_range &) { std::puts("out of range"); }
  try { try { throw 5; } catch (...) { throw; } } catch (int number) {
    std::fprintf(stdout, "int %d\\n", number);
  }
  return 3;
}
"""
EXPECTED = [
    *("constructed", "caught", "boo", "worker", "42", "2241"),
    *("out", "of", "range", "int", "5", "status", "3"),
]

#: argv: IR file, relocation model, libstdc++ or nothing, archives ...
RUNNER = """
import ctypes, os, sys, threading
from pathlib import Path
from irsan.engine.native_libraries.guest_libraries import GuestLibraries
from irsan.engine.linker.native_symbols import host_symbol
from tests.support.jit import TEXT, DATA, Linker, arena, compile_text
ir, reloc, libstdcxx, *archives = sys.argv[1:]
blocks = {}
def block(thread):
    if thread not in blocks:
        raw = ctypes.create_string_buffer(linker.tls_layout.size + 64)
        blocks[thread] = raw, -(-ctypes.addressof(raw) // 64) * 64
        ctypes.memmove(blocks[thread][1], linker.tls_layout.image, linker.tls_layout.size)
    return blocks[thread][1]
@ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint64))
def tls(pair):
    return pair[1] + (block(threading.get_ident()) if pair[0] else 0)
tls_addr = ctypes.cast(tls, ctypes.c_void_p).value
arena.reserve_arena()
guest = GuestLibraries(lambda name: None)
if libstdcxx:
    guest.load(libstdcxx)
# what the engine's own passes do: thread-locals of the program are not in the executable
text = Path(ir).read_text().replace("dso_local thread_local", "thread_local")
text = text.replace("PIE Level", "unused flag")
hooks = {"__tls_get_addr": tls_addr}  # and what the front end's marks bring along
for name in ("memset", "memcpy", "memmove"):
    hooks[f"__asan_{name}"] = ctypes.cast(getattr(ctypes.CDLL(None), name), ctypes.c_void_p).value
hooks["__asan_handle_no_return"] = ctypes.cast(ctypes.CDLL(None).getpid, ctypes.c_void_p).value
linker = Linker(TEXT, DATA, hooks.get, guest.symbol)
linker.add_object(compile_text(text, reloc), "program.o")
for path in archives:
    linker.add_archive(Path(path).read_bytes(), Path(path).name)
linker.link()
for function in guest.initializers() + linker.initializers():
    kinds = [ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
    ctypes.CFUNCTYPE(None, *kinds)(function)(0, None, None)
status = ctypes.CFUNCTYPE(ctypes.c_int)(linker.symbols["main"])()
ctypes.CDLL(None).fflush(None)
os.write(1, f"status {status}\\n".encode())
os._exit(0)
"""


def compile_program(folder: Path, argv: list[str], environment: dict[str, str]) -> Path:
    (folder / "program.cpp").write_text(PROGRAM)
    command = [*argv, "-O1", "-S", "-emit-llvm", "program.cpp", "-o", "program.ll"]
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    return folder / "program.ll"


def run(ir: Path, reloc: str, libstdcxx: str, archives: list[Path]) -> list[str]:
    done = run_snippet(RUNNER, str(ir), reloc, libstdcxx, *map(str, archives))
    assert done.stdout, done.stderr
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("clang-19") is None, reason="needs clang-19")
def test_with_a_private_libstdcxx(tmp_path: Path) -> None:
    path = find_library("libstdc++.so.6")
    if path is None:
        pytest.skip("needs libstdc++")
    argv = ["clang-19", "-Xclang", "-disable-O0-optnone"]
    ir = compile_program(tmp_path, argv, dict(os.environ))
    assert run(ir, "pic", str(path), []) == EXPECTED


@pytest.mark.skipif(shutil.which("clang-19") is None, reason="needs clang-19")
def test_static_relocation_catches_by_copied_type_info(tmp_path: Path) -> None:
    path = find_library("libstdc++.so.6")
    if path is None:
        pytest.skip("needs libstdc++")
    source = PROGRAM.replace("thread_local ", "")
    (tmp_path / "program.cpp").write_text(source)
    argv = ["clang-19", "-O1", "-S", "-emit-llvm", "program.cpp", "-o", "program.ll"]
    subprocess.run(argv, cwd=tmp_path, check=True)
    expected = [word.replace("2241", "2242") for word in EXPECTED]
    assert run(tmp_path / "program.ll", "static", str(path), []) == expected


def test_with_the_bundled_libcxx(tmp_path: Path) -> None:
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("needs the extra irsan[cc]")
    cache = Cache(cache_root().parent)
    compiler = choose_compiler(f"{sys.executable} -m ziglang", os.environ, cache)
    if (
        not list((cache_root() / "libraries").glob("zig-*"))
        and "IRSAN_SLOW_TESTS" not in os.environ
    ):
        pytest.skip("builds the bundled C++ library for a minute: set IRSAN_SLOW_TESTS=1")
    environment = compiler_environment(os.environ, cache.tool_dir("zig"))
    archives = zig_cxx_archives(compiler.cxx, compiler.identity, environment)
    argv = [*compiler.cxx, *compiler.flags]
    ir = compile_program(tmp_path, argv, environment)
    assert run(ir, "pic", "", archives) == EXPECTED
