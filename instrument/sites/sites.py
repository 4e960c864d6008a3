"""Site numbers: which places of the source a call or an access stands for.

    number --> (innermost frame, ..., outermost frame), more than one where code was inlined
    number --> bytes that the access there touches, 0 for a call or when it varies
    number --> what it touches in the words of the source, `s->next[3]`; "" when not known
    number --> the fields of the structure that it touches, as record_layouts.py writes them, and
               where in that; the same of variables, by their names
    frame  =   (function, file, line, column); line 0: not known

A function is named as the linker names it (`_Z3foov`, reports demangle it). Site 0 is "nowhere".
A module has a table of its own; those of a program take up different numbers (`JoinedSites`).

Deviations: the numbers stay below 0x0800_0000, because the run-time uses higher ones for its own
routines.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from irsan.errors import UnsupportedError

SITE_LIMIT = 0x0800_0000
LIBRARY_FIRST_SITE = SITE_LIMIT - (1 << 24)  # behind them: numbers of the checked C++ library

Frame = tuple[str, str, int, int]


class Record(NamedTuple):
    """A structure's fields, and how many bytes into it something lies."""

    layout: str = ""
    offset: int = 0


NO_RECORD = Record()
NO_PART = (-1, 0)


class SiteTable:
    """Append-only; equal frames and strings are kept once."""

    __slots__ = (
        "_chains", "_expressions", "_frame_index", "_frames", "_part_index", "_parts",
        "_site_parts", "_sizes", "_string_index", "_strings", "_variables", "first_site",
    )  # fmt: skip

    def __init__(self, first_site: int = 1) -> None:
        """first_site: the number of the first site that `add` hands out, at least 1."""
        self.first_site = first_site
        self._strings: list[str] = []
        self._frames: list[tuple[int, int, int, int]] = []
        self._chains: list[tuple[int, ...]] = []
        self._sizes: list[int] = []
        self._expressions: list[int] = []
        self._parts: list[tuple[int, int]] = [NO_PART]
        self._site_parts: list[int] = []
        self._part_index: dict[tuple[int, int], int] = {NO_PART: 0}
        self._variables: dict[str, int] = {}
        self._string_index: dict[str, int] = {}
        self._frame_index: dict[tuple[int, int, int, int], int] = {}

    def __len__(self) -> int:
        return len(self._chains)

    @property
    def next_site(self) -> int:
        """The number that the next `add` returns."""
        return self.first_site + len(self._chains)

    def add(
        self, frames: tuple[Frame, ...], size_bytes: int = 0, expression: str = "",
        record: Record = NO_RECORD,
    ) -> int:  # fmt: skip
        """A new number for `frames`, innermost first. UnsupportedError when numbers run out."""
        number = self.next_site
        if number >= SITE_LIMIT:
            raise UnsupportedError(
                f"the program has more than {SITE_LIMIT} places to watch; check fewer modules"
            )
        self._chains.append(tuple([self._frame_number(frame) for frame in frames]))
        self._sizes.append(size_bytes)
        self._expressions.append(self._string_number(expression))
        self._site_parts.append(self._part_number(record) if record.layout else 0)
        return number

    def add_variable(self, name: str, layout: str) -> None:
        """Keep the fields of a variable, the first one's of a name."""
        if name not in self._variables:
            self._variables[name] = self._string_number(layout)

    def site_to_frames(self, number: int) -> tuple[Frame, ...]:
        """Frames of a site, innermost first; empty for 0 and for a number never handed out."""
        index = number - self.first_site
        if not 0 <= index < len(self._chains):
            return ()
        return tuple([self._frame(frame) for frame in self._chains[index]])

    def site_to_size(self, number: int) -> int:
        """Bytes that the access of a site touches; 0 for all that is no access of one size."""
        index = number - self.first_site
        return self._sizes[index] if 0 <= index < len(self._sizes) else 0

    def site_to_expression(self, number: int) -> str:
        """What the access of a site touches, in the words of the source; "" when not known."""
        index = number - self.first_site
        if not 0 <= index < len(self._expressions):
            return ""
        return self._strings[self._expressions[index]]

    def place_to_record(self, place: int) -> Record:
        """The structure that the access of a place touches; NO_RECORD when none is known."""
        if not 0 < place <= len(self._site_parts) or not self._site_parts[place - 1]:
            return NO_RECORD
        layout, offset = self._parts[self._site_parts[place - 1]]
        return Record(self._strings[layout], offset)

    def variable_to_layout(self, name: str) -> str:
        """The fields of a variable; "" when it has none that are known."""
        found = self._variables.get(name)
        return "" if found is None else self._strings[found]

    def site_to_place(self, number: int) -> int:
        """Which of the table's sites a number is, from 1; 0 for a number never handed out."""
        return number - self.first_site + 1 if self.first_site <= number < self.next_site else 0

    def files(self) -> frozenset[str]:
        """Names of all files in which sites lie."""
        return frozenset(self._strings[frame[1]] for frame in self._frames)

    def to_json(self) -> str:
        """The table as one line of JSON; `from_json` reads it."""
        return json.dumps(
            {
                "first": self.first_site,
                "strings": self._strings,
                "frames": [word for frame in self._frames for word in frame],
                "sites": self._chains,
                "sizes": self._sizes,
                "expressions": self._expressions,
                "parts": [word for part in self._parts for word in part],
                "site_parts": self._site_parts,
                "variables": self._variables,
            },
            separators=(",", ":"),
        )

    @classmethod
    def from_json(cls, text: str) -> SiteTable:
        """The table that `to_json` wrote; it may be appended to."""
        stored = json.loads(text)
        table = cls(stored["first"])
        words = iter(stored["frames"])
        table._strings = stored["strings"]
        table._frames = list(zip(words, words, words, words, strict=True))
        table._chains = [tuple(chain) for chain in stored["sites"]]
        table._sizes = stored["sizes"]
        table._expressions = stored["expressions"]
        words = iter(stored["parts"])
        table._parts = list(zip(words, words, strict=True))
        table._site_parts, table._variables = stored["site_parts"], stored["variables"]
        table._part_index = {part: i for i, part in enumerate(table._parts)}
        table._string_index = {string: i for i, string in enumerate(table._strings)}
        table._frame_index = {frame: i for i, frame in enumerate(table._frames)}
        return table

    def _frame(self, number: int) -> Frame:
        function, file, line, column = self._frames[number]
        return self._strings[function], self._strings[file], line, column

    def _frame_number(self, frame: Frame) -> int:
        function, file, line, column = frame
        key = self._string_number(function), self._string_number(file), line, column
        found = self._frame_index.get(key)
        if found is None:
            found = self._frame_index[key] = len(self._frames)
            self._frames.append(key)
        return found

    def _part_number(self, record: Record) -> int:
        key = self._string_number(record.layout), record.offset
        found = self._part_index.get(key)
        if found is None:
            found = self._part_index[key] = len(self._parts)
            self._parts.append(key)
        return found

    def _string_number(self, string: str) -> int:
        found = self._string_index.get(string)
        if found is None:
            found = self._string_index[string] = len(self._strings)
            self._strings.append(string)
        return found


class StoredSites(NamedTuple):
    """A table as it is kept: what each start must know, and its JSON, which reports need."""

    first_site: int
    n_sites: int
    json: bytes | memoryview

    @classmethod
    def of(cls, table: SiteTable) -> StoredSites:
        """A table, put away."""
        return cls(table.first_site, len(table), table.to_json().encode())


class LateSites:
    """A table that is read when one of its sites is asked for."""

    __slots__ = ("_n_sites", "_read", "_table", "first_site", "is_own")

    def __init__(
        self, first_site: int, n_sites: int, read: Callable[[], str], *, is_own: bool = False
    ) -> None:
        """read: the table's JSON, "" when it is lost;  is_own: of the program, not a library's."""
        self.first_site, self._n_sites, self._read = first_site, n_sites, read
        self.is_own = is_own
        self._table: SiteTable | None = None

    def __len__(self) -> int:
        return self._n_sites

    @property
    def next_site(self) -> int:
        """As `SiteTable.next_site`."""
        return self.first_site + self._n_sites

    def table(self) -> SiteTable:
        """The table itself; an empty one when it is lost."""
        if self._table is None:
            text = self._read()
            self._table = SiteTable.from_json(text) if text else SiteTable(self.first_site)
        return self._table


Table = SiteTable | LateSites


class JoinedSites:
    """The tables of several modules, whose numbers do not meet."""

    def __init__(self, tables: Sequence[Table]) -> None:
        """tables: in link order, which is the order of places."""
        self._tables: list[Table] = []
        self._firsts: list[int] = []
        self._places: dict[int, int] = {}  # of the first site of each table
        self._next_place = 1
        self._units: dict[int, int] = {}  # number of the unit, by the first site of its table
        self._n_units = 0
        self._take(tables)

    def add_tables(self, others: JoinedSites) -> None:
        """Take the sites of a library that the program has opened; their numbers are new."""
        self._take(others._tables)

    def add_late(self, tables: Sequence[LateSites]) -> None:
        """Take the sites of a library that was linked with the program, behind the program's."""
        self._take(tables)

    def ranges(self) -> list[tuple[int, int]]:
        """The numbers [lo, hi) of each table."""
        return [(one.first_site, one.next_site) for one in self._tables]

    def site_to_unit(self, number: int) -> int | None:
        """The unit's number in link order; units without sites count."""
        table = self._table(number)
        is_inside = table is not None and number < table.next_site
        return self._units[table.first_site] if table is not None and is_inside else None

    def site_to_frames(self, number: int) -> tuple[Frame, ...]:
        """As `SiteTable.site_to_frames`."""
        table = self._table(number)
        return () if table is None else _whole(table).site_to_frames(number)

    def site_to_size(self, number: int) -> int:
        """As `SiteTable.site_to_size`."""
        table = self._table(number)
        return 0 if table is None else _whole(table).site_to_size(number)

    def site_to_expression(self, number: int) -> str:
        """As `SiteTable.site_to_expression`."""
        table = self._table(number)
        return "" if table is None else _whole(table).site_to_expression(number)

    def place_to_record(self, place: int) -> Record:
        """As `SiteTable.place_to_record`."""
        for table in self._tables:
            own = place - self._places[table.first_site] + 1
            if 0 < own <= len(table):
                return _whole(table).place_to_record(own)
        return NO_RECORD

    def variable_to_layout(self, name: str) -> str:
        """As `SiteTable.variable_to_layout`, of the first of the program's tables that knows it."""
        return next(filter(None, (one.variable_to_layout(name) for one in self._own())), "")

    def site_to_place(self, number: int) -> int:
        """As `SiteTable.site_to_place`, counted on through the tables in link order.

        A place depends on the units and their order alone, and stays when a library is opened.
        """
        table = self._table(number)
        if table is None or number >= table.next_site:
            return 0
        return self._places[table.first_site] + number - table.first_site

    def files(self) -> frozenset[str]:
        """Names of all files in which sites of the program itself lie."""
        return frozenset().union(*(table.files() for table in self._own()))

    def _own(self) -> Iterator[SiteTable]:
        """Tables of the program: its variables are not among those of a linked library."""
        return (_whole(one) for one in self._tables if isinstance(one, SiteTable) or one.is_own)

    def _take(self, tables: Sequence[Table]) -> None:
        for table in tables:
            self._n_units += 1
            if len(table):
                self._units[table.first_site] = self._n_units - 1
                self._places[table.first_site] = self._next_place
                self._next_place += len(table)
        kept = (table for table in tables if len(table))
        self._tables = sorted((*self._tables, *kept), key=lambda one: one.first_site)
        self._firsts = [table.first_site for table in self._tables]

    def _table(self, number: int) -> Table | None:
        index = bisect_right(self._firsts, number) - 1
        return self._tables[index] if index >= 0 else None


def _whole(table: Table) -> SiteTable:
    return table.table() if isinstance(table, LateSites) else table


def sites_of(stored: Sequence[StoredSites]) -> JoinedSites:
    """The tables of a program, in link order, each read when it is asked for."""
    return JoinedSites([
        LateSites(one.first_site, one.n_sites, partial(_decoded, one.json), is_own=True)
        for one in stored
    ])  # fmt: skip


def _decoded(raw: bytes | memoryview) -> str:
    return str(raw, "utf-8")
