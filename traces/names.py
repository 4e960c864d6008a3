"""A name space that grows: the Python side of `irsan.traces.kernels.name_hash`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from irsan.traces.kernels.name_hash import N_NAMES, HashedNames, new_hashed_names, rehash

_LEAST_NAMES = 64


class NameTable:
    """Names by number, in order of first mention."""

    def __init__(self) -> None:
        self.hashed: HashedNames = new_hashed_names(
            2 * _LEAST_NAMES, _LEAST_NAMES, 16 * _LEAST_NAMES
        )

    def __len__(self) -> int:
        return int(self.hashed.counts[N_NAMES])

    def name_bytes(self, number: int) -> bytes:
        """The name as it stands in the file. Raises IndexError for a number not given yet."""
        if not 0 <= number < len(self):
            raise IndexError(number)
        start, end = self.hashed.offsets[number : number + 2]
        return self.hashed.text[start:end].tobytes()  # type: ignore[no-any-return]

    def name(self, number: int) -> str:
        """The name as text; bytes that are no UTF-8 come out escaped."""
        return self.name_bytes(number).decode("utf-8", "backslashreplace")

    def reserve(self, n_names: int, n_bytes: int) -> None:
        """Make room for so many more names, of so many bytes in all."""
        old = self.hashed
        n_needed = len(self) + n_names
        bytes_needed = int(old.offsets[len(self)]) + n_bytes
        cap_names = _grown(len(old.hashes), n_needed)
        cap_bytes = _grown(len(old.text), bytes_needed)
        if cap_names == len(old.hashes) and cap_bytes == len(old.text):
            return
        new = new_hashed_names(2 * cap_names, cap_names, cap_bytes)
        new.hashes[: len(self)] = old.hashes[: len(self)]
        new.offsets[: len(self) + 1] = old.offsets[: len(self) + 1]
        new.text[: len(old.text)] = old.text
        new.counts[:] = old.counts
        if cap_names == len(old.hashes):
            new = new._replace(slots=old.slots)
        else:
            rehash(new)
        self.hashed = new

    def extend(self, lengths: NDArray[np.int64], text: NDArray[np.uint8]) -> None:
        """Give the next numbers to names that are known to be new; they cannot be looked up."""
        self.reserve(len(lengths), len(text))
        hashed, n_old = self.hashed, len(self)
        start = int(hashed.offsets[n_old])
        hashed.text[start : start + len(text)] = text
        hashed.offsets[n_old + 1 : n_old + 1 + len(lengths)] = start + np.cumsum(lengths)
        hashed.counts[N_NAMES] += len(lengths)


def _grown(capacity: int, needed: int) -> int:
    while capacity < needed:
        capacity *= 2
    return capacity
