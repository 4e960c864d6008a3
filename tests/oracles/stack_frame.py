"""The naive twin of instrument/frames/stack_layout.py: the shadow of a frame, one byte at a
time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

LEFT, MIDDLE, RIGHT, OUT_OF_SCOPE = 0xF1, 0xF2, 0xF3, 0xF8


def shadow_by_bytes(
    variables: Sequence[tuple[int, int]], frame_bytes: int, dead: Sequence[bool] = ()
) -> bytes:
    """Shadow of a frame; `variables`: (offset, size) in bytes; `dead`: which are out of scope.

    Every byte of the frame is owned by a variable or by the redzone that it lies in; a granule is
    described by its first byte, and by how many bytes belong to the variable.
    """
    owner: dict[int, int] = {}
    for number, (offset, size) in enumerate(variables):
        for byte in range(offset, offset + size):
            assert byte not in owner, "variables overlap"
            owner[byte] = number
    return bytes(_granule(granule, owner, variables, dead) for granule in range(0, frame_bytes, 8))


def _granule(
    first: int,
    owner: Mapping[int, int],
    variables: Sequence[tuple[int, int]],
    dead: Sequence[bool],
) -> int:
    number = owner.get(first)
    if number is not None:
        if dead and dead[number]:
            return OUT_OF_SCOPE
        n_live = sum(1 for byte in range(first, first + 8) if owner.get(byte) == number)
        return n_live % 8
    before = [1 for offset, _ in variables if offset < first]
    behind = [1 for offset, _ in variables if offset > first]
    if not before:
        return LEFT
    return MIDDLE if behind else RIGHT
