"""Real programs under irsan: same output as natively, and how much slower.

    python bench/real_programs.py SOURCES [--only lua,zlib] [--cc clang-19] [--markdown] [--keep]

SOURCES is a folder with the unpacked sources of (any of) zlib, lz4, libzstd, lua5.4, cjson,
sqlite3 (after `./configure && make sqlite3.c shell.c`), bzip2, pigz, pbzip2 and tinyxml2, each in a
folder that starts with that name, as `apt-get source` leaves them.  Nothing is downloaded; what is
not there is skipped and said.  Not part of CI.

Every program is built natively (-O1) and does its work twice, once natively and once under
`irsan run` with the default checks, each in a folder of its own.  Compared: standard output, exit
status when nothing was found, and every file that the steps leave behind.

    program  lines of source  | steps | native s  irsan s  ratio | first build s | same?  findings

"irsan s" is the guest's own time (`timing.run_s` of the JSON report); "first build s" is front end +
instrumentation + code generation of the first step, 0 when the cache had it all.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

_TIMEOUT_S = 900.0


@dataclass(frozen=True, slots=True)
class Step:
    """One run of a program: words after its name, and a file for its standard input."""

    arguments: tuple[str, ...]
    stdin: str = ""


@dataclass(frozen=True, slots=True)
class Program:
    """What to compile and what to do with it; globs are relative to SOURCES."""

    name: str
    sources: tuple[str, ...]
    steps: tuple[Step, ...]
    flags: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


@dataclass(slots=True)
class Outcome:
    """What the steps of one program left behind, and what they cost."""

    digest: list[str] = field(default_factory=list)
    seconds: float = 0.0
    build_s: float = 0.0
    findings: list[str] = field(default_factory=list)
    trouble: str = ""


def steps(*lines: str) -> tuple[Step, ...]:
    """Steps from command lines; `< file` at the end is standard input."""
    made = []
    for line in lines:
        words, _, stdin = line.partition(" < ")
        made.append(Step(tuple(words.split()), stdin.strip()))
    return tuple(made)


PROGRAMS = (
    Program(
        "zlib/example", ("zlib-*/*.c", "zlib-*/test/example.c"), steps("out.gz"),
        ("-DHAVE_UNISTD_H", "-D_LARGEFILE64_SOURCE=1"), ("zlib-*",),
    ),
    Program(
        "zlib/minigzip", ("zlib-*/*.c", "zlib-*/test/minigzip.c"),
        steps("-9 text", "-d text.gz", " < mixed"),
        ("-DHAVE_UNISTD_H", "-D_LARGEFILE64_SOURCE=1"), ("zlib-*",),
    ),
    Program(
        "lz4", ("lz4-*/programs/*.c", "lz4-*/lib/*.c"),
        steps("-9 -q text a.lz4", "-d -q a.lz4 a.out", "-1 -q mixed b.lz4", "-t b.lz4", "-c < mixed"),
        ("-DXXH_NAMESPACE=LZ4_",), ("lz4-*/lib",),
    ),
    Program(
        "zstd", ("libzstd-*/programs/*.c", "libzstd-*/lib/common/*.c", "libzstd-*/lib/compress/*.c",
                 "libzstd-*/lib/decompress/*.c", "libzstd-*/lib/dictBuilder/*.c"),
        steps("-q -T2 -3 text -o t.zst", "-q -d t.zst -o t.out", "-q -T2 -1 mixed -o m.zst",
              "-q -t m.zst", "-q --train part1 part2 part3 part4 part5 --maxdict=4096 -o dict"),
        ("-DZSTD_MULTITHREAD", "-DZSTD_DISABLE_ASM", "-DZSTD_LEGACY_SUPPORT=0", "-pthread",
         "-DXXH_NAMESPACE=ZSTD_"),
        ("libzstd-*/lib", "libzstd-*/lib/common", "libzstd-*/programs"),
    ),
    Program(
        "lua", ("lua5.4-*/src/*.c",), steps("work.lua 20", "-e print(_VERSION) -"),
        ("-DLUA_USE_POSIX", "-DLUA_USE_DLOPEN"), ("lua5.4-*/src", "work"), ("-lm", "-ldl"), ("luac.c",),
    ),
    Program(
        "cjson", ("cjson-*/cJSON.c", "work/json_work.c"), steps("30 < big.json"), (), ("cjson-*",),
        ("-lm",),
    ),
    Program("cjson/test", ("cjson-*/cJSON.c", "cjson-*/test.c"), steps(""), (), ("cjson-*",),
            ("-lm",)),
    Program(
        "sqlite3", ("sqlite3-*/shell.c", "sqlite3-*/sqlite3.c"),
        steps("-batch a.db < work.sql", "-batch a.db .dump", "-batch :memory: < work.sql"),
        ("-DSQLITE_THREADSAFE=1", "-DSQLITE_ENABLE_FTS5", "-DHAVE_USLEEP=1"), ("sqlite3-*",),
        ("-lm", "-ldl", "-lpthread"),
    ),
    Program(
        "bzip2", ("bzip2-*/bzip2.c", "bzip2-*/blocksort.c", "bzip2-*/huffman.c",
                  "bzip2-*/crctable.c", "bzip2-*/randtable.c", "bzip2-*/compress.c",
                  "bzip2-*/decompress.c", "bzip2-*/bzlib.c"),
        steps("-k -9 part1", "-t part1.bz2", "-dc part1.bz2", "-z < part2"),
        ("-D_FILE_OFFSET_BITS=64",), ("bzip2-*",),
    ),
    Program(
        "pigz", ("pigz-*/*.c", "pigz-*/zopfli/src/zopfli/*.c", "zlib-*/*.c"),
        steps("-k -p 4 -6 text", "-p 4 -dc text.gz", "-p 3 -b 64 < mixed", "-p 4 -t text.gz"),
        ("-DHAVE_UNISTD_H", "-D_LARGEFILE64_SOURCE=1"), ("zlib-*", "pigz-*"),
        ("-lm", "-lpthread"), ("zopfli_bin.c", "zopfli_lib.c"),
    ),
    Program(
        "pbzip2", ("pbzip2-*/*.cpp", "bzip2-*/blocksort.c", "bzip2-*/huffman.c",
                   "bzip2-*/crctable.c", "bzip2-*/randtable.c", "bzip2-*/compress.c",
                   "bzip2-*/decompress.c", "bzip2-*/bzlib.c"),
        steps("-k -q -p3 -b1 part1", "-d -c -q -p3 part1.bz2", "-t -p2 part1.bz2"),
        ("-D_LARGEFILE64_SOURCE", "-D_FILE_OFFSET_BITS=64", "-DUSE_STACKSIZE_CUSTOMIZATION",
         "-Wno-reserved-user-defined-literal"),
        ("bzip2-*",), ("-lpthread",),
    ),
    Program("tinyxml2", ("tinyxml2-*/tinyxml2.cpp", "work/xml_work.cpp"), steps("60"), (),
            ("tinyxml2-*",)),
)  # fmt: skip


def main() -> int:
    """Run the list and print the table; the status is the number of programs that differ."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sources", type=Path)
    parser.add_argument("--only", default="", help="names, separated by commas")
    parser.add_argument("--cc", default="clang", help="compiler of both sides")
    parser.add_argument("--irsan", default=f"{sys.executable} -m irsan", help="command for irsan")
    parser.add_argument("--keep", action="store_true", help="keep the working folder")
    options = parser.parse_args()
    wanted = {name for name in options.only.split(",") if name}
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    folder = Path(tempfile.mkdtemp(prefix="real-programs-"))
    write_inputs(folder / "inputs")
    bad = 0
    print(f"{'program':<14} {'lines':>7} {'native s':>9} {'irsan s':>8} {'ratio':>6} "
          f"{'build s':>8} {'same':>5}  findings")  # fmt: skip
    for program in PROGRAMS:
        if wanted and program.name not in wanted:
            continue
        bad += not run_program(program, options, folder)
    if options.keep:
        print(f"kept: {folder}")
    else:
        shutil.rmtree(folder)
    return bad


def run_program(program: Program, options: argparse.Namespace, folder: Path) -> bool:
    """Both sides of one program and its row; True when they agree."""
    found = list(find_sources(program, options.sources, folder / "inputs"))
    if not found:
        print(f"{program.name:<14} sources not there: skipped")
        return True
    n_lines = sum(path.read_bytes().count(b"\n") for path in found)
    words = list(compile_words(program, options.sources, folder / "inputs"))
    binary = folder / (program.name.replace("/", "-") + ".bin")
    native_build(options.cc, program, words, found, binary)
    native = run_steps(program, folder, "native", [str(binary)], read_native)
    command = [*options.irsan.split(), "run", "--cc", options.cc, "-O1"]
    command += ["--report-format", "text", "--report-format", "json"]
    command += [word for flag in words for word in irsan_words(flag)]
    sanitized = run_steps(program, folder, "irsan", [*command, *map(str, found), "--"], read_report)
    same = native.digest == sanitized.digest and not sanitized.trouble
    ratio = sanitized.seconds / max(native.seconds, 1e-9)
    print(f"{program.name:<14} {n_lines:>7} {native.seconds:>9.2f} {sanitized.seconds:>8.2f} "
          f"{ratio:>6.1f} {sanitized.build_s:>8.1f} {'yes' if same else 'NO':>5}  "
          f"{len(sanitized.findings)} {sanitized.trouble}", flush=True)  # fmt: skip
    for line in sorted(set(sanitized.findings)):
        print(f"    {line}")
    if not same:
        print_difference(native, sanitized)
    return same


def print_difference(native: Outcome, sanitized: Outcome) -> None:
    """The first line in which the two sides differ."""
    for left, right in zip(native.digest, sanitized.digest, strict=False):
        if left != right:
            print(f"    native {left}\n    irsan  {right}")


def find_sources(program: Program, sources: Path, inputs: Path) -> Iterator[Path]:
    """Files of a program; none when one glob matches nothing."""
    groups = []
    for glob in program.sources:
        base = inputs.parent if glob.startswith("work/") else sources
        groups.append([p for p in sorted(base.glob(glob)) if p.name not in program.without])
    if all(groups):
        for group in groups:
            yield from group


def compile_words(program: Program, sources: Path, inputs: Path) -> Iterator[str]:
    """-D and -I words of a program."""
    yield from program.flags
    for glob in program.includes:
        base = inputs.parent if glob == "work" else sources
        yield from (f"-I{path}" for path in sorted(base.glob(glob)) if path.is_dir())


def irsan_words(flag: str) -> list[str]:
    """A compiler's word as irsan takes it."""
    if flag[:2] in ("-D", "-I"):
        return [flag[:2], flag[2:]]
    return [f"--cflag={flag}"]


def native_build(
    cc: str, program: Program, words: list[str], found: list[Path], binary: Path
) -> None:
    """Compile a program natively; raises CalledProcessError when it does not."""
    objects = []
    for number, path in enumerate(found):
        made = binary.with_suffix(f".{number}.o")
        compiler = cc.replace("clang", "clang++") if path.suffix == ".cpp" else cc
        subprocess.run([*compiler.split(), "-O1", "-g", "-w", *words, "-c", path, "-o", made],
                       check=True)  # fmt: skip
        objects.append(made)
    linker = cc.replace("clang", "clang++")
    subprocess.run([*linker.split(), *objects, "-o", binary, *program.libraries], check=True)


def run_steps(
    program: Program,
    folder: Path,
    side: str,
    command: list[str],
    read: Callable[[Outcome, subprocess.CompletedProcess[bytes], float], None],
) -> Outcome:
    """Run all steps of one side in a folder of its own."""
    place = folder / side / program.name.replace("/", "-")
    shutil.copytree(folder / "inputs", place)
    outcome = Outcome()
    for step in program.steps:
        source = (place / step.stdin).open("rb") if step.stdin else subprocess.DEVNULL
        started = time.perf_counter()
        try:
            done = subprocess.run([*command, *step.arguments], stdin=source, capture_output=True,
                                  cwd=place, timeout=_TIMEOUT_S)  # fmt: skip
        except subprocess.TimeoutExpired:
            outcome.trouble += f"{step.arguments}: no end after {_TIMEOUT_S:g} s; "
            continue
        read(outcome, done, time.perf_counter() - started)
        outcome.digest.append(f"{step.arguments}: stdout {hashed(done.stdout)}")
        outcome.digest.append(f"{step.arguments}: status {guest_status(done, outcome)}")
    for path in sorted(place.iterdir()):
        outcome.digest.append(f"file {path.name} {hashed(path.read_bytes())}")
    return outcome


def guest_status(done: subprocess.CompletedProcess[bytes], outcome: Outcome) -> int:
    """Exit status of the program itself: 66 says no more than that there are findings."""
    return 0 if done.returncode == 66 and outcome.findings else done.returncode


def hashed(raw: bytes) -> str:
    """Size and a short hash."""
    return f"{len(raw)} bytes {hashlib.sha256(raw).hexdigest()[:12]}"


def read_native(
    outcome: Outcome, done: subprocess.CompletedProcess[bytes], seconds: float
) -> None:
    """Time of a native run."""
    outcome.seconds += seconds


def read_report(
    outcome: Outcome, done: subprocess.CompletedProcess[bytes], seconds: float
) -> None:
    """Time and findings of a run under irsan, from the JSON report in its standard error."""
    text = done.stderr.decode(errors="replace")
    if os.environ.get("REAL_PROGRAMS_VERBOSE"):
        sys.stderr.write(text[:20000])
    start = text.find('{"schema"') if '{"schema"' in text else text.find("{\n")
    try:
        report = json.JSONDecoder().raw_decode(text[start:])[0]
    except ValueError:
        outcome.trouble += f"status {done.returncode}: {text[-300:]!r}; "
        return
    timing = report["timing"]
    outcome.seconds += timing["run_s"]
    outcome.build_s += timing["frontend_s"] + timing["instrument_s"] + timing["codegen_s"]
    for finding in report["findings"]:
        frames = [frame for stack in finding["stacks"][:2] for frame in stack["frames"][:2]]
        places = ", ".join(f"{frame['function']}:{frame['line']}" for frame in frames)
        outcome.findings.append(f"{finding['tool']} {finding['kind']}: {places}")


def write_inputs(folder: Path) -> None:
    """Files that the programs work on, the same on every machine."""
    rng = random.Random(7)
    words = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 9))) for _ in range(900)]
    folder.mkdir()
    (folder.parent / "work").mkdir()
    text = " ".join(rng.choices(words, k=400_000))
    (folder / "text").write_text(text)
    (folder / "mixed").write_bytes(text[:500_000].encode() + rng.randbytes(500_000))
    for number in range(1, 6):
        (folder / f"part{number}").write_text(text[number * 200_000 : (number + 1) * 200_000])
    (folder / "big.json").write_text(json.dumps(_json_value(rng, words, 6)))
    (folder / "work.lua").write_text(LUA_WORK)
    (folder / "work.sql").write_text(SQL_WORK)
    multiarch = '#define DEB_HOST_MULTIARCH "x86_64-linux-gnu"\n'
    (folder.parent / "work" / "lua5.4-deb-multiarch.h").write_text(multiarch)
    (folder.parent / "work" / "json_work.c").write_text(JSON_WORK)
    (folder.parent / "work" / "xml_work.cpp").write_text(XML_WORK)


def _json_value(rng: random.Random, words: list[str], depth: int) -> object:
    if depth == 0:
        return rng.choice([rng.random(), rng.randint(-1000, 1000), rng.choice(words), None, True])
    if depth % 2:
        return [_json_value(rng, words, depth - 1) for _ in range(6)]
    return {f"{rng.choice(words)}{n}": _json_value(rng, words, depth - 1) for n in range(6)}


LUA_WORK = r"""
local n = tonumber(arg[1])
local function counter() local c = 0; return function() c = c + 1; return c end end
local f = counter(); for i = 1, 1000 * n do f() end
print("closure", f())
local t = {}
for i = 1, 500 * n do t[i] = (i * 7919) % 10007 end
table.sort(t); print("sorted", t[1], t[#t], #t)
table.sort(t, function(a, b) return a > b end); print("reversed", t[1], t[#t])
local words = {}
for i = 1, 100 * n do words[#words + 1] = string.format("%05d-%s", i, string.rep("x", i % 7)) end
local s = table.concat(words, ","); print("concat", #s, select(2, s:gsub("x+", "y")))
local count = 0; for w in s:gmatch("%d+") do count = count + tonumber(w) end; print("gmatch", count)
local co = coroutine.wrap(function() for i = 1, 200 * n do coroutine.yield(i) end return -1 end)
local sum = 0; repeat local v = co(); sum = sum + v until v < 0; print("coroutine", sum)
local Point = {}; Point.__index = Point
Point.__add = function(a, b) return setmetatable({x = a.x + b.x}, Point) end
local p = setmetatable({x = 0}, Point)
for i = 1, 200 * n do p = p + setmetatable({x = i}, Point) end; print("metatable", p.x)
print("pcall", pcall(error, {1}) == false, select(2, pcall(function() local x = nil; x() end)))
local function fib(k) if k < 2 then return k end return fib(k - 1) + fib(k - 2) end
print("fib", fib(math.min(n, 22)))
print("pack", #string.pack("i4d", 1, 2.5), string.unpack("i4", string.pack("i4", 77)))
local name = "lua.tmp"; local h = assert(io.open(name, "w")); h:write(s); h:close()
h = io.open(name); print("file", #h:read("a")); h:close(); os.remove(name)
local weak = setmetatable({}, {__mode = "k"}); weak[{}] = 1; collectgarbage(); print("weak", next(weak))
print(math.floor(3.7), 7 // 2, 7 % -3, 2 ^ 0.5, 1e100, string.format("%q", "a\nb"), utf8.char(8364))
print(load("return 1 + 1")(), #debug.traceback() > 0, os.getenv("HOME") ~= nil)
goto done
print("never")
::done:: print("gc", collectgarbage("count") > 0)
"""

SQL_WORK = """
CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, score REAL);
CREATE TABLE u(t_id INTEGER, tag TEXT);
CREATE INDEX t_name ON t(name);
BEGIN;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 10000)
  INSERT INTO t SELECT i, 'name' || (i * 7919 % 10007), i / 3.0 FROM n;
INSERT INTO u SELECT id, 'tag' || (id % 13) FROM t WHERE id % 3 = 0;
COMMIT;
CREATE INDEX u_id ON u(t_id);
SELECT count(*), sum(score), min(name), max(name) FROM t;
SELECT tag, count(*), round(avg(score), 3) FROM t JOIN u ON t.id = u.t_id GROUP BY tag ORDER BY tag;
SELECT name, row_number() OVER (ORDER BY score DESC) FROM t LIMIT 5;
UPDATE t SET score = score + 1 WHERE name LIKE 'name1%';
DELETE FROM u WHERE tag = 'tag5';
SELECT count(*) FROM u; SELECT sum(length(name)), total(score) FROM t;
SELECT json_group_array(id) FROM (SELECT id FROM t WHERE id < 6);
CREATE VIRTUAL TABLE f USING fts5(body);
INSERT INTO f SELECT name || ' word' || (id % 50) FROM t LIMIT 500;
SELECT count(*) FROM f WHERE f MATCH 'word7';
CREATE TRIGGER g AFTER INSERT ON u BEGIN UPDATE t SET score = 0 WHERE id = new.t_id; END;
INSERT INTO u VALUES (17, 'x'); SELECT score FROM t WHERE id = 17;
SELECT hex(randomblob(4)) <> '', printf('%08.3f', 3.14159), date(0, 'unixepoch'), upper('abc');
PRAGMA integrity_check;
VACUUM;
EXPLAIN QUERY PLAN SELECT * FROM t WHERE name = 'name5';
"""

JSON_WORK = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cJSON.h"
static unsigned long walk(const cJSON *item) {
  unsigned long n = 0;
  for (; item; item = item->next) n += 1 + (item->string ? strlen(item->string) : 0) + walk(item->child);
  return n;
}
int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  size_t used = 0, room = 1 << 16;
  char *text = malloc(room);
  for (size_t n; (n = fread(text + used, 1, room - used - 1, stdin)) > 0;) {
    used += n;
    if (room - used < 4096) text = realloc(text, room *= 2);
  }
  text[used] = 0;
  unsigned long total = 0;
  for (int i = 0; i < rounds; i++) {
    cJSON *root = cJSON_Parse(text);
    if (!root) return 1;
    total += walk(root);
    char *printed = i % 2 ? cJSON_Print(root) : cJSON_PrintUnformatted(root);
    total += strlen(printed);
    cJSON *again = cJSON_Parse(printed);
    total += cJSON_Compare(root, again, 1);
    cJSON_Delete(again);
    cJSON_free(printed);
    cJSON_Delete(root);
  }
  free(text);
  printf("%lu\n", total);
  return 0;
}
"""

XML_WORK = r"""
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>
#include "tinyxml2.h"
using namespace tinyxml2;
struct Counter : XMLVisitor {
  std::map<std::string, int> seen;
  bool VisitEnter(const XMLElement &e, const XMLAttribute *) override { seen[e.Name()]++; return true; }
};
int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  XMLDocument doc;
  XMLElement *root = doc.NewElement("root");
  doc.InsertEndChild(root);
  for (int i = 0; i < 40 * rounds; i++) {
    XMLElement *e = doc.NewElement(("item" + std::to_string(i % 7)).c_str());
    e->SetAttribute("id", i);
    e->SetAttribute("half", i / 2.0);
    e->SetText(std::string(i % 50, 'x').c_str());
    root->InsertEndChild(e);
  }
  doc.SaveFile("made.xml");
  for (int i = 0; i < rounds; i++) {
    XMLPrinter printer;
    doc.Print(&printer);
    XMLDocument again;
    if (again.Parse(printer.CStr())) return 1;
    Counter counter;
    again.Accept(&counter);
    if (i == 0) for (auto &row : counter.seen) printf("%s %d\n", row.first.c_str(), row.second);
  }
  XMLDocument bad;
  bad.Parse("<a><b></a>");
  printf("%s\n", bad.ErrorStr());
  XMLDocument loaded;
  loaded.LoadFile("made.xml");
  double sum = 0;
  for (auto *e = loaded.RootElement()->FirstChildElement(); e; e = e->NextSiblingElement()) sum += e->DoubleAttribute("half");
  printf("%.1f\n", sum);
  try { std::vector<int> v; v.at(3); } catch (const std::exception &e) { printf("%s\n", e.what()); }
  return 0;
}
"""


if __name__ == "__main__":
    sys.exit(main())
