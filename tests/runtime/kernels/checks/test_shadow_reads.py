"""Looks at no shadow: every form that an assembler makes of one is known, and nothing else."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import pytest

from irsan.engine.glue.crash import GREG_OFFSETS
from irsan.engine.linker.elf import ObjectFile
from irsan.runtime.kernels.checks import shadow_reads
from irsan.runtime.kernels.checks.shadow import addr_to_shadow
from irsan.runtime.layout import memory_map
from tests.support.jit import compile_text

WORDS = 64
RIP = memory_map.PROGRAM_CODE_LO + 4096
NOWHERE = 1 << 62
BASES = ("rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "r8", "r9", "r10", "r11", "r12", "r13",
         "r14", "r15")  # fmt: skip
READS = (
    "cmpb $$0, {at}(%{base})", "cmpw $$0, {at}(%{base})", "cmpl $$0, {at}(%{base})",
    "movzbl {at}(%{base}), %edx", "movzwl {at}(%{base}), %r9d", "movsbl {at}(%{base}), %r12d",
    "movb {at}(%{base}), %cl", "movw {at}(%{base}), %r8w", "cmpb %al, {at}(%{base})",
    "cmpb {at}(%{base}), %r10b", "testb %cl, {at}(%{base})", "orb {at}(%{base}), %dl",
)  # fmt: skip
OTHERS = (
    "movb %al, {at}(%{base})", "addb $$1, {at}(%{base})", "orb %cl, {at}(%{base})",
    "movq $$1, {at}(%{base})", "cmpb $$0, 0x1000({base_word})", "cmpb $$0, {at}({base_word},%rdx)",
    "cmpb $$0, 8({base_word})", "cmpb $$0, ({base_word})", "leaq {at}(%{base}), %rax",
)  # fmt: skip


def assembled(form: str, base: str, displacement: int) -> bytes:
    """The bytes of an instruction."""
    text = form.format(at=hex(displacement), base=base, base_word=f"%{base}")
    raw = compile_text(f'define void @f() naked {{ call void asm "{text}", ""() unreachable }}')
    item = ObjectFile.parse(raw, "read.o")
    code = item.sections[item.section_names.index(".text")]
    return raw[code["offset"] : code["offset"] + code["size"]]


@pytest.fixture
def context(guest: Any) -> Iterator[Any]:
    """A ucontext_t whose registers hold an address that the processor refuses."""
    words = (ctypes.c_uint64 * WORDS)()
    for index in range(WORDS):
        words[index] = NOWHERE + index
    yield guest.ctx, words


def place(code: bytes, words: Any) -> None:
    ctypes.memmove(RIP, code, len(code))
    words[GREG_OFFSETS["rip"] // 8] = RIP


@pytest.mark.parametrize("form", READS)
def test_a_look_at_no_shadow_goes_to_irsans_own_record(context: Any, form: str) -> None:
    ctx, words = context
    for base in BASES:
        for displacement in (memory_map.SHADOW_OFFSET, memory_map.SHADOW_OFFSET + 2):
            place(assembled(form, base, displacement), words)
            before = list(words)
            assert shadow_reads.redirect_shadow_read(ctx, ctypes.addressof(words), 0), base
            changed = [index for index in range(WORDS) if words[index] != before[index]]
            assert changed == [GREG_OFFSETS[base] // 8]
            record = addr_to_shadow(memory_map.CONTEXT_ADDR)
            at = words[changed[0]] + displacement
            assert record <= at < record + memory_map.CONTEXT_SIZE // 8
            words[changed[0]] = before[changed[0]]


@pytest.mark.parametrize("form", OTHERS)
def test_other_instructions_fault_as_they_are(context: Any, form: str) -> None:
    ctx, words = context
    for base in BASES:
        place(assembled(form, base, memory_map.SHADOW_OFFSET), words)
        before = list(words)
        assert not shadow_reads.redirect_shadow_read(ctx, ctypes.addressof(words), 0), base
        assert list(words) == before


def test_only_code_of_the_program_is_looked_at(context: Any) -> None:
    ctx, words = context
    place(assembled(READS[0], "rcx", memory_map.SHADOW_OFFSET), words)
    at = ctypes.addressof(words)
    assert not shadow_reads.redirect_shadow_read(ctx, at, RIP), "a wild jump"
    assert not shadow_reads.redirect_shadow_read(ctx, at, RIP + 8), "its second page"
    for elsewhere in (memory_map.GLOBALS_LO, memory_map.CONTEXT_ADDR, 8, 1 << 46):
        words[GREG_OFFSETS["rip"] // 8] = elsewhere
        assert not shadow_reads.redirect_shadow_read(ctx, at, 0)
