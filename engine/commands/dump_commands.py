"""`irsan dump-bitstream` and `irsan dump-ir`: a program as the two lower layers see it."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

from irsan.engine.front_end.frontend import compile_to_ir
from irsan.engine.front_end.ir_input import is_bitcode
from irsan.engine.options import FrontendOptions


def dump_bitstream(program: Path, options: FrontendOptions, stream: TextIO) -> None:
    """Print blocks and records. A .bc file is shown as it is, not as LLVM would rewrite it."""
    from irsan.ir.bitstream import dump

    for line in dump.dump_bitstream(bitcode_of(program, options)):
        stream.write(f"{line}\n")


def dump_ir(program: Path, options: FrontendOptions, stream: TextIO) -> None:
    """Print the program's module as irsan's own model reads and prints it."""
    (unit,) = compile_to_ir([program], options)
    from irsan.ir.bitcode.reader import read_bitcode
    from irsan.ir.dump import dump_ir as module_lines

    for line in module_lines(read_bitcode(unit.bitcode)):
        stream.write(f"{line}\n")


def bitcode_of(program: Path, options: FrontendOptions) -> bytes:
    """The file's own bytes when they are bitcode, else what the front end makes of it."""
    if program.is_file() and is_bitcode(content := program.read_bytes()):
        return content
    (unit,) = compile_to_ir([program], options)
    return unit.bitcode
