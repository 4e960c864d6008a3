"""Names in templates: fields of records, constants of modules, facts of the C library."""

from __future__ import annotations

import pytest

from irsan.engine.glue.crash import GREG_OFFSETS, REGISTERS
from irsan.engine.glue.symbols import MODULES, WORDS, value_of
from irsan.errors import InternalError
from irsan.runtime.layout import events, memory_map
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.records.context import CONTEXT_DTYPE, THREAD_DTYPE


@pytest.mark.parametrize("name", CONTEXT_DTYPE.names)
def test_every_field_of_the_context_has_an_address(name: str) -> None:
    assert value_of(f"ctx.{name}") == memory_map.CONTEXT_ADDR + CONTEXT_DTYPE.fields[name][1]


def test_words_of_a_field_go_by_number_or_name() -> None:
    first = value_of("ctx.event.args")
    assert value_of("ctx.event.args.3") == first + 24
    assert value_of("ctx.event.args.ERRNO_WORD") == first + 8 * events.ERRNO_WORD


def test_fields_of_a_record_in_the_context_go_by_its_name_and_theirs() -> None:
    assert value_of("ctx.program.main") == value_of("ctx.program") + 24


@pytest.mark.parametrize("field", WORDS)
def test_named_words_lie_in_their_field(field: str) -> None:
    kind = CONTEXT_DTYPE
    for name in field.split("."):
        kind = kind[name]
    n_words = kind.shape[0]
    assert n_words > 1
    assert value_of(f"ctx.{field}.{n_words - 1}") == value_of(f"ctx.{field}") + 8 * (n_words - 1)


def test_fields_of_a_thread_are_offsets() -> None:
    assert value_of("thread.sp") == THREAD_DTYPE.fields["sp"][1]


def test_registers_lie_where_the_headers_have_them() -> None:
    assert value_of("greg.rip") == libc.offset("ucontext_t.uc_mcontext.gregs[REG_RIP]")
    assert value_of("greg.rsp") == libc.offset("ucontext_t.uc_mcontext.gregs[REG_RSP]")
    assert set(REGISTERS) <= set(GREG_OFFSETS)


def test_sizes_offsets_and_constants_of_the_c_library() -> None:
    assert value_of("libc.sizeof stack_t") == libc.size("stack_t")
    assert value_of("libc.struct sigaction.sa_flags") == libc.offset("struct sigaction.sa_flags")
    assert value_of("libc.SA_RESTART") == libc.constant("SA_RESTART")


@pytest.mark.parametrize("space", MODULES)
def test_constants_of_modules(space: str) -> None:
    numbers = [n for n, v in vars(MODULES[space]).items() if n.isupper() and hasattr(v, "__int__")]
    assert numbers
    for name in numbers:
        assert value_of(f"{space}.{name}") == int(getattr(MODULES[space], name))


@pytest.mark.parametrize(
    "name",
    ["ctx.nothing", "ctx.program.nothing", "ctx.crash.NOTHING", "ctx.site.NOTHING",
     "thread.nothing", "greg.xmm0", "libc.NOTHING", "libc.sizeof nothing", "events.NOTHING",
     "nothing.EVENT", "nothing"],
)  # fmt: skip
def test_what_is_unknown_is_an_error_of_irsan(name: str) -> None:
    with pytest.raises(InternalError, match=f"@{name}, which is nothing known"):
        value_of(name)
