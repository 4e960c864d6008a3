"""IR from outside: upgraded and verified, or refused in one clear sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from llvmlite import binding as llvm

from irsan.engine.front_end.ir_input import (
    bitcode_to_bitcode,
    is_bitcode,
    read_ir_file,
    text_to_bitcode,
)
from irsan.errors import UnsupportedError, UsageError

PATH = Path("some/program.ll")
GOOD = b"define i32 @main() {\n  ret i32 7\n}\n"


def test_text_becomes_bitcode_and_bitcode_stays_itself() -> None:
    bitcode = text_to_bitcode(GOOD, PATH)
    assert is_bitcode(bitcode)
    assert bitcode_to_bitcode(bitcode, PATH) == bitcode


def test_text_errors_are_in_llvms_words_with_the_place() -> None:
    with pytest.raises(UsageError) as caught:
        text_to_bitcode(b"define i32 @main() {\n  frob i32 0\n}", PATH)
    assert "some/program.ll:2:3: error: expected instruction opcode" in str(caught.value)


def test_text_that_is_not_text() -> None:
    with pytest.raises(UsageError, match="not LLVM assembly text"):
        text_to_bitcode(b"\xff\xfe", PATH)


def test_a_broken_module_is_refused() -> None:
    text = b"define i32 @f() {\n  %a = add i32 %b, 1\n  %b = add i32 1, 2\n  ret i32 %a\n}"
    with pytest.raises(UsageError, match="does not dominate all uses"):
        text_to_bitcode(text, PATH)


def test_bytes_that_are_no_bitcode() -> None:
    with pytest.raises(UsageError, match="not LLVM bitcode"):
        bitcode_to_bitcode(b"hello", PATH)


@pytest.mark.parametrize("kept", [4, 5, 50, -8])
def test_truncated_bitcode_is_one_message(kept: int) -> None:
    with pytest.raises(UsageError, match=r"some/program\.ll: "):
        bitcode_to_bitcode(text_to_bitcode(GOOD, PATH)[:kept], PATH)


def test_text_of_a_newer_llvm_is_named() -> None:
    text = b'frob\n!llvm.ident = !{!0}\n!0 = !{!"clang version 99.1.0"}\n'
    with pytest.raises(UsageError, match=r"made by LLVM 99; this irsan reads up to \d+; recompile"):
        text_to_bitcode(text, PATH)


def test_text_of_a_newer_llvm_that_still_parses_is_taken() -> None:
    text = GOOD + b'!llvm.ident = !{!0}\n!0 = !{!"clang version 99.1.0"}\n'
    assert is_bitcode(text_to_bitcode(text, PATH))


CHAR6 = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"


def char6_bits(text: str) -> str:
    """Bits of a char6 string, first bit first."""
    return "".join(format(CHAR6.index(letter), "06b")[::-1] for letter in text)


def vbr6_bits(value: int) -> str:
    """Bits of a number in chunks of five and a continuation bit, first bit first."""
    chunk, rest = value & 31, value >> 5
    bits = format(chunk, "05b")[::-1] + ("1" if rest else "0")
    return bits + vbr6_bits(rest) if rest else bits


def with_replaced_bits(content: bytes, old: str, new: str) -> bytes:
    """The bytes with one run of bits, found at any bit position, replaced by another."""
    bits = "".join(format(byte, "08b")[::-1] for byte in content)
    assert bits.count(old) == 1
    bits = bits.replace(old, new)
    return bytes(int(bits[at : at + 8][::-1], 2) for at in range(0, len(bits), 8))


def relabelled_bitcode() -> bytes:
    """Bitcode that says LLVM 99 made it."""
    from llvmlite.binding import llvm_version_info

    ours = "".join(("LLVM", ".".join(map(str, llvm_version_info))))
    theirs = ours.replace(f"LLVM{llvm_version_info[0]}", "LLVM99")
    bitcode = text_to_bitcode(GOOD.replace(b"{", b"nounwind {", 1), PATH)
    return with_replaced_bits(bitcode, char6_bits(ours), char6_bits(theirs))


def with_unknown_attribute(bitcode: bytes) -> bytes:
    """The function attribute `nounwind` (kind 18) as kind 0, which no LLVM has."""
    group_start = vbr6_bits(0xFFFFFFFF) + vbr6_bits(0)
    return with_replaced_bits(bitcode, group_start + vbr6_bits(18), group_start + vbr6_bits(0))


def test_bitcode_of_a_newer_llvm_is_named() -> None:
    with pytest.raises(UsageError, match=r"made by LLVM 99; this irsan reads up to \d+; recompile"):
        bitcode_to_bitcode(with_unknown_attribute(relabelled_bitcode()), PATH)


def test_bitcode_of_a_newer_llvm_that_this_one_understands_is_taken() -> None:
    assert is_bitcode(bitcode_to_bitcode(relabelled_bitcode(), PATH))


def test_damage_that_ends_llvm_itself_is_one_message(tmp_path: Path) -> None:
    """Some damage aborts LLVM: it happens in a process of its own."""
    path = tmp_path / "damaged.bc"
    whole = llvm.parse_assembly(GOOD.decode()).as_bitcode()  # as it is, without a data layout
    messages = []
    for at in (400, 482, 485, 587, 647):
        path.write_bytes(whole[:at] + b"\xff\x2c" + whole[at + 2 :])
        with pytest.raises(UsageError) as caught:
            read_ir_file(path)
        messages.append(str(caught.value))
    assert all(message.startswith(f"{path}: ") for message in messages)
    assert any("LLVM gave up reading it" in message for message in messages)


def test_a_file_is_read_by_its_suffix(tmp_path: Path) -> None:
    path = tmp_path / "program.ll"
    path.write_bytes(GOOD)
    assert read_ir_file(path) == text_to_bitcode(GOOD, path)


def test_the_reading_process_passes_refusals_on(tmp_path: Path) -> None:
    path = tmp_path / "program.ll"
    path.write_bytes(b'target triple = "wasm32-unknown-unknown"\n' + GOOD)
    with pytest.raises(UnsupportedError, match="wasm32-unknown-unknown"):
        read_ir_file(path)


@pytest.mark.parametrize(
    "triple", ["aarch64-unknown-linux-gnu", "x86_64-apple-macosx14.0.0", "i386-pc-linux-gnu"]
)
def test_code_of_another_machine_is_unsupported(triple: str) -> None:
    text = f'target triple = "{triple}"\n'.encode() + GOOD
    with pytest.raises(UnsupportedError, match=triple):
        text_to_bitcode(text, PATH)


@pytest.mark.parametrize("triple", ["x86_64-pc-linux-gnu", "x86_64-unknown-linux5.10.0-gnu2.31.0"])
def test_code_of_this_machine_is_taken(triple: str) -> None:
    assert text_to_bitcode(f'target triple = "{triple}"\n'.encode() + GOOD, PATH)
