"""The real programs of real_programs.py: what to compile and what each of them does."""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import dataclass
from pathlib import Path

_WORK = Path(__file__).parent / "real_work"


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
        steps("-9 -q text a.lz4", "-d -q a.lz4 a.out", "-1 -q mixed b.lz4", "-t b.lz4",
              "-c < mixed"),
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
        ("-DLUA_USE_POSIX", "-DLUA_USE_DLOPEN"), ("lua5.4-*/src", "work"),
        ("-lm", "-ldl"), ("luac.c",),
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
        "sqlite3/threads", ("work/sqlite_threads.c", "sqlite3-*/sqlite3.c"), steps("", "late"),
        ("-DSQLITE_THREADSAFE=1", "-DSQLITE_OMIT_LOAD_EXTENSION"), ("sqlite3-*",),
        ("-lm", "-lpthread"),
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
        steps("-k -q -p3 -b1 text", "-d -c -q -p3 text.bz2", "-t -p2 text.bz2"),
        ("-D_LARGEFILE64_SOURCE", "-D_FILE_OFFSET_BITS=64", "-DUSE_STACKSIZE_CUSTOMIZATION",
         "-Wno-reserved-user-defined-literal"),
        ("bzip2-*",), ("-lpthread",),
    ),
    Program("tinyxml2", ("tinyxml2-*/tinyxml2.cpp", "work/xml_work.cpp"), steps("60"), (),
            ("tinyxml2-*",)),
)  # fmt: skip


def write_inputs(folder: Path, times: int = 1) -> None:
    """Files that the programs work on, the same on every machine; `times` as much text."""
    rng = random.Random(7)
    words = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 9))) for _ in range(900)]
    folder.mkdir()
    (folder.parent / "work").mkdir()
    text = " ".join(rng.choices(words, k=400_000 * times))
    (folder / "text").write_text(text)
    (folder / "mixed").write_bytes(text[:500_000].encode() + rng.randbytes(500_000))
    for number in range(1, 6):
        (folder / f"part{number}").write_text(text[number * 200_000 : (number + 1) * 200_000])
    (folder / "big.json").write_text(json.dumps(_json_value(rng, words, 6)))
    for name in ("work.lua", "work.sql"):
        shutil.copy(_WORK / name, folder)
    multiarch = '#define DEB_HOST_MULTIARCH "x86_64-linux-gnu"\n'
    (folder.parent / "work" / "lua5.4-deb-multiarch.h").write_text(multiarch)
    for name in ("json_work.c", "xml_work.cpp", "sqlite_threads.c"):
        shutil.copy(_WORK / name, folder.parent / "work")


def _json_value(rng: random.Random, words: list[str], depth: int) -> object:
    if depth == 0:
        return rng.choice([rng.random(), rng.randint(-1000, 1000), rng.choice(words), None, True])
    if depth % 2:
        return [_json_value(rng, words, depth - 1) for _ in range(6)]
    return {f"{rng.choice(words)}{n}": _json_value(rng, words, depth - 1) for n in range(6)}
