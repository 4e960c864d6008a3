"""A name space that grows: the Python side of `irsan.traces.kernels.name_hash`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from irsan.traces.kernels.columns import grown_table, new_table
from irsan.traces.kernels.name_hash import N_NAMES, HashedNames, rehash

_LEAST_SLOTS = 128


class NameTable:
    """Names by number, in order of first mention."""

    def __init__(self) -> None:
        self.hashed = new_table(HashedNames, slots=_LEAST_SLOTS)

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
        n_slots = len(self.hashed.slots)
        self._grow(n_names, n_bytes, slots=2 * (len(self) + n_names))
        if len(self.hashed.slots) > n_slots:
            self.hashed.slots[:] = 0
            rehash(self.hashed)

    def extend(self, lengths: NDArray[np.int64], text: NDArray[np.uint8]) -> None:
        """Give the next numbers to names that are known to be new; they cannot be looked up."""
        self._grow(len(lengths), len(text))
        hashed, n_old = self.hashed, len(self)
        start = int(hashed.offsets[n_old])
        hashed.text[start : start + len(text)] = text
        hashed.offsets[n_old + 1 : n_old + 1 + len(lengths)] = start + np.cumsum(lengths)
        hashed.counts[N_NAMES] += len(lengths)

    def _grow(self, n_names: int, n_bytes: int, **needed: int) -> None:
        n_needed = len(self) + n_names
        bytes_needed = int(self.hashed.offsets[len(self)]) + n_bytes
        sizes = {"names": n_needed, "ends": n_needed + 1, "bytes": bytes_needed, **needed}
        self.hashed = grown_table(self.hashed, **sizes)
