"""str* and mem* against the naive library: the first finding with its facts, and the result."""

from __future__ import annotations

import ctypes
import inspect
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.layout import memory_map, options
from irsan.runtime.layout.faults import FaultKind
from tests.oracles.strings import NAIVE, Window, first_finding

NAMES = sorted(NAIVE)
COMPARISONS = ("strcmp", "strncmp", "strcasecmp", "strncasecmp", "memcmp")
REMAINING_STRINGS = ("strlcpy", "strlcat")
LETTERS = b"abAB,\xe9"
SETTINGS = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@dataclass(frozen=True, slots=True)
class Call:
    """Contents of two objects; per pointer argument which object and where; sizes; a character."""

    texts: tuple[bytes, bytes]
    places: tuple[tuple[int, int], tuple[int, int]]
    size: int
    character: int


def texts() -> st.SearchStrategy[bytes]:
    letters = st.lists(st.sampled_from(LETTERS), max_size=24).map(bytes)
    return st.builds(lambda a, end, b: a + end + b, letters, st.sampled_from([b"", b"\0"]), letters)


CALLS = st.builds(
    Call,
    st.tuples(texts(), texts()),
    st.tuples(
        st.tuples(st.sampled_from([0, 0, 1]), st.integers(0, 26)),
        st.tuples(st.sampled_from([1, 1, 0]), st.integers(0, 26)),
    ),
    st.integers(0, 40),
    st.sampled_from(LETTERS + b"\0"),
)


def arguments_of(name: str, call: Call, addresses: tuple[int, int]) -> list[int]:
    pointers = iter(
        addresses[which] + min(offset, len(call.texts[which])) for which, offset in call.places
    )
    values = {"n": call.size, "size": call.size, "limit": call.size, "c": call.character}
    values["_c"] = call.character
    names = list(inspect.signature(NAIVE[name]).parameters)[1:]
    return [values[key] if key in values else next(pointers) for key in names]


def byte_at(addr: int) -> int:
    return ctypes.string_at(addr, 1)[0]


def agrees(shelf: Any, name: str, call: Call) -> None:
    """With what may follow an object in memory: for strings, bytes that no result may come from."""
    filler = 0 if name.startswith("mem") else ord("a")
    addresses = (shelf.place(call.texts[0], filler), shelf.place(call.texts[1], filler))
    ends = [a + len(t) for a, t in zip(addresses, call.texts, strict=True)]
    arguments = arguments_of(name, call, addresses)

    def is_good(addr: int) -> bool:
        return any(a <= addr < end for a, end in zip(addresses, ends, strict=True))

    window = Window(lambda addr: byte_at(addr) if is_good(addr) else 0, is_good, byte_at)
    steps, result = NAIVE[name](window, *arguments)
    expected = first_finding(steps, is_good)
    got = shelf.library.call(name, *arguments, halts=True)
    found = shelf.finding()
    if expected is None:
        assert found is None, (name, arguments, found)
        assert result is None or _sign_if(name, got) == result
        return
    assert found is not None, (name, arguments, expected)
    kind = FaultKind.PARAM_OVERLAP if expected.kind == "overlap" else FaultKind.BAD_ACCESS
    assert found[:3] == [kind, expected.addr, expected.size_bytes]
    assert found[6] == expected.bad
    if expected.kind != "overlap":
        assert found[3] & 1 == (expected.kind == "write") and found[3] & 8


def _sign_if(name: str, result: int) -> int:
    return (result > 0) - (result < 0) if name in COMPARISONS else result


@pytest.mark.parametrize("name", NAMES)
def test_first_finding_and_result(shelf: Any, name: str) -> None:
    @SETTINGS
    @given(CALLS)
    def run(call: Call) -> None:
        agrees(shelf, name, call)

    run()


@pytest.mark.parametrize("name", REMAINING_STRINGS)
@pytest.mark.parametrize("size", range(9))
def test_bounded_strings_end(shelf: Any, name: str, size: int) -> None:
    start = b"xy" if name == "strlcat" else b""
    target = shelf.place((start + b"\0").ljust(10, b"#"))
    wanted = shelf.library.call(name, target, shelf.place(b"abcd\0"), size)
    assert shelf.finding() is None
    assert wanted == min(len(start), size) + 4
    joined = start + b"abcd"
    room = max(size - 1, 0)
    expected = joined[:room] if size > len(start) else start
    assert ctypes.string_at(target) == expected or size == 0


def test_all_bytes_move(shelf: Any) -> None:
    source, target = shelf.place(bytes(range(200))), shelf.place(bytes(200))
    assert shelf.library.call("memcpy", target, source, 200) == target
    assert ctypes.string_at(target, 200) == bytes(range(200))
    assert shelf.library.call("memmove", target + 3, target, 190) == target + 3
    assert ctypes.string_at(target, 200) == bytes(range(3)) + bytes(range(190)) + bytes(
        range(193, 200)
    )
    assert shelf.library.call("memset", target, 0x1FF, 100) == target
    assert ctypes.string_at(target, 101) == b"\xff" * 100 + bytes([97])
    assert shelf.finding() is None


def test_overlapping_memcpy_is_reported_and_moves(shelf: Any) -> None:
    block = shelf.place(b"abcdefgh")
    shelf.library.call("memcpy", block + 1, block, 6)
    found = shelf.finding()
    assert found is not None
    assert found[:3] + found[6:8] == [FaultKind.PARAM_OVERLAP, block + 1, 6, block, 6]
    assert ctypes.string_at(block, 8) == b"aabcdefh"
    shelf.library.call("memcpy", block, block, 8)
    assert shelf.finding() is None


@pytest.mark.parametrize("name", ["memcpy", "memmove", "memset"])
def test_a_negative_size(shelf: Any, name: str) -> None:
    first, second = shelf.place(bytes(16)), shelf.place(b"#" * 16)
    shelf.library.call(name, first, 1 if name == "memset" else second, (1 << 64) - 3)
    found = shelf.finding()
    assert found is not None
    assert found[0] == FaultKind.NEGATIVE_SIZE and found[2] == (1 << 64) - 3
    assert ctypes.string_at(first, 16) == bytes(16)


@pytest.mark.parametrize("wild", [0, 64, memory_map.CALL_STACKS, 1 << 47])
def test_wild_ranges_are_reported_and_left_alone(shelf: Any, wild: int) -> None:
    block = shelf.place(b"abc\0")
    for name, *arguments in (
        ("memcpy", wild, block, 4),
        ("memcpy", block, wild, 4),
        ("memset", wild, 0, 4),
        ("memcmp", block, wild, 4),
        ("strcpy", wild, block),
        ("strncpy", wild, block, 4),
        ("bzero", wild, 4),
        ("mempcpy", block, wild, 4),
    ):
        shelf.library.call(name, *arguments)
        found = shelf.finding()
        assert found is not None and found[:2] == [FaultKind.WILD_ACCESS, wild], name
    assert ctypes.string_at(block, 4) == b"abc\0"


def test_foreign_memory_is_fine(shelf: Any) -> None:
    own = ctypes.create_string_buffer(b"abcdef")
    block = shelf.place(b"......\0")
    shelf.library.call("memcpy", block, ctypes.addressof(own), 6)
    assert ctypes.string_at(block) == b"abcdef"
    assert shelf.library.call("strlen", ctypes.addressof(own)) == 6
    shelf.library.call("strcpy", ctypes.addressof(own), block)
    assert shelf.finding() is None


def test_a_stale_table_of_mappings_is_asked_again(shelf: Any) -> None:
    from irsan.runtime.views import mappings

    own = ctypes.create_string_buffer(b"abcdef")
    block = shelf.place(b"......\0")
    shelf.ctx["foreign"]["n_ranges"] = 0
    shelf.ctx["foreign"]["last_hi"] = 0
    shelf.library.call("memcpy", block, ctypes.addressof(own), 6)
    assert mappings.confirm_fault(shelf.ctx) is False
    assert ctypes.string_at(block) == b"......"
    shelf.library.call("memcpy", block, ctypes.addressof(own), 6)
    assert shelf.finding() is None and ctypes.string_at(block) == b"abcdef"


def test_freed_strings(shelf: Any) -> None:
    from irsan.interceptors.memory.malloc import i_free

    text = shelf.place(b"abc\0")
    i_free(shelf.ctx, text)
    for name, *rest in (("strlen",), ("strchr", 98), ("strrchr", 98), ("puts",), ("atoi",)):
        if name != "puts":
            shelf.library.call(name, text, *rest)
            found = shelf.finding()
            assert found is not None and found[6] == text, name


def test_strict_string_checks(shelf: Any) -> None:
    text, comma = shelf.place(b"ab,cd"), shelf.place(b",\0")
    calls = [("strchr", text, 44), ("strspn", text, comma), ("strstr", text, comma)]
    for name, *arguments in calls:
        shelf.library.call(name, *arguments)
        assert shelf.finding() is None, name
    shelf.ctx["options"][options.STRICT_STRING_CHECKS] = 1
    for name, *arguments in calls:
        shelf.library.call(name, *arguments)
        found = shelf.finding()
        assert found is not None and found[:3] == [FaultKind.BAD_ACCESS, text, 6], name


def test_strict_checks_of_limited_comparisons(shelf: Any) -> None:
    ended, open_end = shelf.place(b"ab\0"), shelf.place(b"abcde")
    shelf.ctx["options"][options.STRICT_STRING_CHECKS] = 1
    for name in ("strncmp", "strncasecmp"):
        shelf.library.call(name, ended, open_end, 5)
        assert shelf.finding() is None, name
        shelf.library.call(name, open_end, ended, 9)
        found = shelf.finding()
        assert found is not None and found[:3] == [FaultKind.BAD_ACCESS, open_end, 6], name


def test_a_report_tells_how_far_the_function_reads(shelf: Any) -> None:
    raw = b"needle in poison\0"
    text = shelf.place(raw[:7])
    ctypes.memmove(text, raw, len(raw))
    for name, *rest in (
        ("strlen",), ("strrchr", 97), ("strspn", text), ("strpbrk", text), ("strstr", text),
        ("strcasestr", text), ("strcmp", text), ("strchr", ord("x")), ("strtok", text),
    ):  # fmt: skip
        shelf.library.call(name, text, *rest, halts=True)
        found = shelf.finding()
        assert found is not None, name
        if name not in ("strspn", "strpbrk"):
            assert found[1:3] + found[6:7] == [text, len(raw), text + 7], name


def test_strtok_reports_the_text_before_the_delimiters(shelf: Any) -> None:
    text, ended, delimiters = shelf.place(b"ab"), shelf.place(b"ab,\0"), shelf.place(b",")
    for arguments, wrong in (((text, delimiters), text), ((ended, delimiters), delimiters)):
        shelf.library.call("strtok", *arguments)
        found = shelf.finding()
        assert found is not None and found[1] == wrong


def test_an_unchecked_strtok_goes_on_in_poison(shelf: Any) -> None:
    text, comma = shelf.place(b"ab"), shelf.place(b",\0")
    ctypes.memmove(text, b"abc,d\0", 6)
    shelf.ctx["options"][options.SWITCHED_OFF] = options.OFF_STRTOK
    assert ctypes.string_at(shelf.library.call("strtok", text, comma)) == b"abc"
    assert ctypes.string_at(shelf.library.call("strtok", 0, comma)) == b"d"
    assert shelf.finding() is None


def test_comparisons_give_a_sign(shelf: Any) -> None:
    small, big = shelf.place(b"aB\0"), shelf.place(b"az\0")
    assert shelf.library.call("strcmp", small, big) == -1
    assert shelf.library.call("strncmp", big, small, 2) == 1
    assert shelf.library.call("strncmp", big, small, 1) == 0
    shelf.ctx["options"][options.SWITCHED_OFF] = options.OFF_STRCMP
    assert shelf.library.call("strcmp", big, small) == 1


FAMILY_CALLS = {
    "strlen": options.OFF_STRLEN,
    "strchr": options.OFF_STRCHR,
    "strcmp": options.OFF_STRCMP,
    "strstr": options.OFF_STRSTR,
    "strspn": options.OFF_STRSPN,
    "strpbrk": options.OFF_STRPBRK,
    "memcmp": options.OFF_MEMCMP,
}


@pytest.mark.parametrize("name", FAMILY_CALLS)
def test_a_family_can_be_switched_off(shelf: Any, name: str) -> None:
    text, same = shelf.place(b"ab"), shelf.place(b"ab")
    arguments = {"strlen": (text,), "strchr": (text, 0), "memcmp": (text, same, 3)}
    shelf.ctx["options"][options.SWITCHED_OFF] = FAMILY_CALLS[name]
    shelf.library.call(name, *arguments.get(name, (text, same)))
    assert shelf.finding() is None
    shelf.ctx["options"][options.SWITCHED_OFF] = ~FAMILY_CALLS[name] & 0xFFFF
    shelf.library.call(name, *arguments.get(name, (text, same)))
    assert shelf.finding() is not None


def test_checks_can_be_switched_off_whole(shelf: Any) -> None:
    text, room = shelf.place(b"ab"), shelf.place(b"..")
    shelf.ctx["options"][options.REPLACE_STR] = shelf.ctx["options"][options.REPLACE_INTRIN] = 0
    for name, *arguments in (
        ("strcpy", room, text), ("atoi", text), ("strtol", text, 0, 10), ("memcpy", room, text, 3),
    ):  # fmt: skip
        shelf.library.call(name, *arguments)
        assert shelf.finding() is None, name
    shelf.library.call("strlen", text)
    assert shelf.finding() is not None  # has a flag of its own


def test_memcmp_may_stop_early(shelf: Any) -> None:
    first, second = shelf.place(b"abX"), shelf.place(b"abY")
    shelf.ctx["options"][options.STRICT_MEMCMP] = 0
    assert shelf.library.call("memcmp", first, second, 9) < 0
    assert shelf.finding() is None
    assert shelf.library.call("memcmp", first, first, 9) == 0
    assert shelf.finding() is not None


def test_tokens(shelf: Any) -> None:
    text, delimiters = shelf.place(b",ab,,cd\0"), shelf.place(b",\0")
    place = shelf.place(bytes(8))
    found = []
    token = shelf.library.call("strtok_r", text, delimiters, place)
    while token:
        found.append(ctypes.string_at(token))
        token = shelf.library.call("strtok_r", 0, delimiters, place)
    assert found == [b"ab", b"cd"] and shelf.finding() is None
    unterminated = shelf.place(b"ab")
    shelf.library.call("strtok_r", unterminated, delimiters, place)
    finding = shelf.finding()
    assert finding is not None and finding[:3] == [FaultKind.BAD_ACCESS, unterminated, 3]


def test_strsep(shelf: Any) -> None:
    text, delimiters = shelf.place(b"a,b\0"), shelf.place(b",\0")
    place = shelf.place(text.to_bytes(8, "little"))
    found = [ctypes.string_at(shelf.library.call("strsep", place, delimiters)) for _ in range(2)]
    assert found == [b"a", b"b"] and shelf.library.call("strsep", place, delimiters) == 0
    assert shelf.finding() is None
    short = shelf.place(bytes(7))
    shelf.library.call("strsep", short, delimiters)
    assert shelf.finding() is not None


def test_memccpy_memmem_mempcpy_and_swab(shelf: Any) -> None:
    source, target = shelf.place(b"ab;cd"), shelf.place(bytes(3))
    assert shelf.library.call("memccpy", target, source, ord(";"), 5) == target + 3
    assert shelf.finding() is None
    shelf.library.call("memccpy", target, source, ord("d"), 5)
    assert shelf.finding() is not None
    assert shelf.library.call("memmem", source, 5, target, 2) == source
    assert shelf.library.call("memrchr", source, ord("a"), 5) == source
    assert shelf.library.call("rawmemchr", source, ord("d")) == source + 4
    assert shelf.finding() is None
    assert shelf.library.call("memmem", source, 6, target, 2) == source
    assert shelf.finding() is not None
    assert shelf.library.call("mempcpy", target, source, 3) == target + 3
    shelf.library.call("swab", source, target, 2)
    assert ctypes.string_at(target, 3) == b"ba;" and shelf.finding() is None


def test_collation(shelf: Any) -> None:
    first, second, key = shelf.place(b"abc\0"), shelf.place(b"abd\0"), shelf.place(bytes(4))
    assert shelf.library.call("strcoll", first, second) < 0
    assert shelf.library.call("strxfrm", key, first, 4) == 3
    assert shelf.finding() is None
    assert shelf.library.call("strxfrm", key + 2, first, 4) == 3
    found = shelf.finding()
    assert found is not None and found[:3] == [FaultKind.BAD_ACCESS, key + 2, 4]
