"""Names of the source are read when a report asks, and not before."""

from __future__ import annotations

from irsan.engine.program_image.source_names import SourceName, SourceNames


def test_nothing_is_read_until_a_name_is_asked_for_and_then_once() -> None:
    n_reads = []

    def read() -> dict[str, SourceName]:
        n_reads.append(1)
        return {"f()": ("f", "a.c", 3), "g": ("g", "a.c", 4)}

    names = SourceNames(lambda: {"g": ("g", "lib.c", 9), "h": ("h", "lib.c", 1)}, read)
    assert n_reads == []
    assert names.known["g"] == ("g", "a.c", 4)
    assert set(names.known) == {"f()", "g", "h"}
    assert n_reads == [1]


def test_what_the_program_opens_is_known_beside_what_it_began_with() -> None:
    names = SourceNames(lambda: {"g": ("g", "a.c", 4)})
    names.add({"opened": ("opened", "b.c", 1)})
    assert names.known == {"g": ("g", "a.c", 4), "opened": ("opened", "b.c", 1)}
