"""How the time of type equality grows with the types.

    python bench/type_equality.py [--most 256000]

Three shapes, each with n structs of one name, in modules of a hundred structs: chains (each struct
holds the one before it, so that every link splits a class), rings (structs that point to each other
in a circle, all equal), and trees (two members each). Columns: structs, nodes, classes, seconds of
serialising and of partitioning, and microseconds per node.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable

from irsan.ir.type_equality.classes import equality_classes
from irsan.ir.type_equality.ranked import serialise
from irsan.ir.types import StructType, TypeContext

_MODULE = 100


def chains(n_structs: int) -> list[StructType]:
    """Every module has the same chain."""
    found: list[StructType] = []
    for _ in range(n_structs // _MODULE):
        context = TypeContext()
        last = context.identified_struct("node", [context.i32])
        for _ in range(_MODULE):
            found.append(last)
            last = context.identified_struct("node", [context.typed_pointer(last), context.i64])
    return found


def one_chain(n_structs: int) -> list[StructType]:
    """One chain through all structs."""
    context = TypeContext()
    found = [context.identified_struct("node", [context.i32])]
    while len(found) < n_structs:
        found.append(context.identified_struct("node", [found[-1], context.i64]))
    return found


def rings(n_structs: int) -> list[StructType]:
    """Rings of many lengths."""
    found: list[StructType] = []
    while len(found) < n_structs:
        context = TypeContext()
        ring = [context.identified_struct("node") for _ in range(_MODULE // 2 + len(found) % 7)]
        for struct, following in zip(ring, [*ring[1:], ring[0]], strict=True):
            struct.set_body([context.typed_pointer(following), context.i64])
        found += ring
    return found


def trees(n_structs: int) -> list[StructType]:
    """Every struct has two members, of the structs before it."""
    context = TypeContext()
    found = [context.identified_struct("node", [context.i32])]
    while len(found) < n_structs:
        pair = found[len(found) // 2], found[len(found) * 2 // 3]
        found.append(context.identified_struct("node", pair))
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--most", type=int, default=256_000, help="structs of the last row")
    most = parser.parse_args().most
    print(f"{'shape':<10} {'structs':>8} {'nodes':>8} {'classes':>8} {'serialise s':>11} "
          f"{'classes s':>9} {'us/node':>8}")  # fmt: skip
    shapes: tuple[Callable[[int], list[StructType]], ...] = (chains, one_chain, rings, trees)
    for shape in shapes:
        n_structs = 1000
        while n_structs <= most:
            print_row(shape.__name__, shape(n_structs))
            n_structs *= 4


def print_row(name: str, structs: list[StructType]) -> None:
    """Time one list of structs."""
    gc.collect()
    gc.disable()
    started = time.process_time()
    ranked = serialise(structs)
    serialised = time.process_time()
    classes = equality_classes(ranked)
    ended = time.process_time()
    gc.enable()
    n_nodes = len(ranked.types)
    print(f"{name:<10} {len(structs):>8} {n_nodes:>8} {len(set(classes)):>8} "
          f"{serialised - started:>11.3f} {ended - serialised:>9.3f} "
          f"{(ended - started) / n_nodes * 1e6:>8.2f}")  # fmt: skip


if __name__ == "__main__":
    main()
