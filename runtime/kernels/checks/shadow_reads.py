"""A check looks at the shadow of an address that nothing can have: it is made to read fe instead.

    cmpb $0, SHADOW_OFFSET(%rcx)      rcx = address >> 3

Above 2^47 the processor refuses to look, and the shadow of 1 to 8 TiB is the arena.  When such a
look is a fault, its base register is changed so that the instruction, which is run again, reads the
shadow of irsan's own record.  So the check takes its slow path, which has the address itself.

Only instructions of the program and the runtime are changed that read memory at SHADOW_OFFSET from
one register.  They are a check's: no variable lies there.

Source: Intel's Software Developer's Manual, volume 2, chapter 2 (ModR/M, SIB, REX).
Deviations: an address up to 2^50 whose shadow is memory that can be read, and reads zero, passes
the check; the access itself is then the fault.
"""

from __future__ import annotations

from irsan.runtime.kernels.checks.shadow import addr_to_shadow
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u32, load_u64, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout import memory_map

CODE_LO = memory_map.RUNTIME_CODE_LO
CODE_BYTES = memory_map.PROGRAM_CODE_HI - memory_map.RUNTIME_CODE_LO
LONGEST_BYTES = 16  # of an instruction
NEAR = 1 << 16  # further parts of one object are at larger displacements
LOWEST = memory_map.SHADOW_OFFSET - NEAR
N_PLACES = 2 * NEAR
OWN_RECORD = memory_map.CONTEXT_ADDR + memory_map.CONTEXT_SIZE // 2

# ucontext_t: general registers from byte 40 on, in an order of their own.
REGISTERS_AT = 40
ORDER = (13, 14, 12, 11, 15, 10, 9, 8, 0, 1, 2, 3, 4, 5, 6, 7)  # of rax, rcx, rdx, rbx, rsp ...
PACKED_ORDER = sum(place << 4 * number for number, place in enumerate(ORDER))
RIP_AT = REGISTERS_AT + 8 * 16

OPERAND_16 = 0x66
REX, REX_MASK, REX_BASE = 0x40, 0xF0, 1
TWO_BYTES = 0x0F
BASE_AND_32_BITS, SIB, NO_INDEX = 2, 4, 0x24
# Opcodes that read memory, one bit each: or, cmp, test, mov to a register; cmp and test with a
# number; of two bytes: movzx, movsx.
OR_8, CMP_8, CMP_WIDE = 0x0A, 0x38, 0x3B
MOV_8, MOV_WIDE = 0x8A, 0x8B
TEST_8, TEST_WIDE = 0x84, 0x85
NUMBER_8, NUMBER_32, NUMBER_WIDE = 0x80, 0x81, 0x83
CMP_NUMBER = 7
MOVZX_8, MOVZX_16, MOVSX_8, MOVSX_16 = 0xB6, 0xB7, 0xBE, 0xBF


@kernel
def register_place(context: u64, number: u64) -> u64:
    """Where a ucontext_t keeps the general register with a number of the encoding."""
    return context + REGISTERS_AT + ((u64(PACKED_ORDER) >> (number * 4)) & 15) * 8


@kernel
def only_reads(opcode: u64, modrm: u64) -> bool:
    """Whether a one-byte opcode reads its memory operand and does not write there."""
    if opcode == NUMBER_8 or opcode == NUMBER_32 or opcode == NUMBER_WIDE:
        return (modrm >> 3) & 7 == CMP_NUMBER
    is_compare = CMP_8 <= opcode <= CMP_WIDE or opcode == TEST_8 or opcode == TEST_WIDE
    return is_compare or opcode == MOV_8 or opcode == MOV_WIDE or opcode == OR_8


@kernel
def only_extends(opcode: u64) -> bool:
    """Whether the second byte of an opcode is that of movzx or movsx."""
    is_zero = opcode == MOVZX_8 or opcode == MOVZX_16
    return is_zero or opcode == MOVSX_8 or opcode == MOVSX_16


@kernel
def shadow_base(at: u64) -> u64:
    """Number of the register to whose shadow the instruction at `at` looks, and the displacement
    above it: number + (displacement << 32); 0 for another instruction."""
    if load_u8(at) == OPERAND_16:
        at += 1
    rex = u64(0)
    if load_u8(at) & REX_MASK == REX:
        rex = u64(load_u8(at))
        at += 1
    if load_u8(at) == TWO_BYTES:
        at += 1
        modrm = u64(load_u8(at + 1))
        is_read = only_extends(u64(load_u8(at)))
    else:
        modrm = u64(load_u8(at + 1))
        is_read = only_reads(u64(load_u8(at)), modrm)
    at += 2
    base = modrm & 7
    if base == SIB:
        is_read = is_read and load_u8(at) == NO_INDEX
        at += 1
    displacement = u64(load_u32(at))
    is_shadow = displacement - LOWEST < N_PLACES
    if not is_read or modrm >> 6 != BASE_AND_32_BITS or not is_shadow:
        return 0
    return (base | (rex & REX_BASE) << 3) | displacement << 32


@kernel(outlined=True)
def redirect_shadow_read(_ctx: Context, context: u64, fault_addr: u64) -> bool:
    """Whether a fault was a check's look at no shadow; it looks at that of irsan's record now.

    context     ucontext_t of the fault
    fault_addr  what could not be accessed, 0 when the processor does not say
    """
    rip = load_u64(context + RIP_AT)
    if rip - CODE_LO >= CODE_BYTES or fault_addr - rip < LONGEST_BYTES:
        return False
    found = shadow_base(rip)
    if found == 0:
        return False
    place = register_place(context, found & 15)
    store_u64(place, addr_to_shadow(u64(OWN_RECORD)) - (found >> 32))
    return True
