"""Code generation in workers: the objects of one process, in order; one message if one dies."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from irsan.engine.program_image import code_workers
from irsan.engine.program_image.code_workers import code_generator, serve
from irsan.engine.program_image.codegen import text_to_object
from irsan.errors import InternalError
from tests.engine.program_image.test_codegen_apart import ONLY_USUAL

HOT = """
define available_externally void @__irsan_site(i32 %n) alwaysinline {
  store i32 %n, ptr inttoptr (i64 4096 to ptr)
  ret void
}
"""
PLENTY = 10_000_000

pytestmark = pytest.mark.usefixtures("two_processors")


def unit(number: int) -> str:
    return f"""
declare void @__irsan_site(i32)
define i32 @f{number}() {{
  call void @__irsan_site(i32 {number})
  ret i32 {number}
}}
"""


@pytest.fixture
def two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_workers.os, "sched_getaffinity", lambda _pid: {0, 1})


def test_workers_make_the_objects_of_one_process_in_order() -> None:
    texts = [unit(number) for number in range(5)]
    with code_generator(HOT, len(texts), PLENTY) as generate:
        waiting = [generate(text) for text in texts]
        objects = [one.result() for one in waiting]
    assert objects == [text_to_object(text, HOT) for text in texts]
    assert b"__irsan_site" not in objects[0]


@pytest.mark.parametrize(("n_units", "n_bytes"), [(1, PLENTY), (5, 1000)])
def test_little_work_starts_no_process(
    n_units: int, n_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_workers.subprocess, "Popen", None)
    with code_generator(HOT, n_units, n_bytes) as generate:
        assert generate(unit(1)).result() == text_to_object(unit(1), HOT)


def test_a_worker_that_dies_is_an_internal_error() -> None:
    with code_generator(HOT, 2, PLENTY) as generate:
        broken = generate("this is no LLVM text")
        with pytest.raises(InternalError, match="generating code ended with status 1: "):
            broken.result()


def test_a_worker_that_fastisel_has_ended_is_replaced_by_the_usual_generator() -> None:
    hard = ONLY_USUAL + ";\n" * 50_000
    with code_generator(HOT, 2, PLENTY) as generate:
        texts = [hard, hard, unit(1), unit(2)]
        objects = [one.result() for one in [generate(text) for text in texts]]
    assert objects[:2] == [text_to_object(hard, HOT, may_be_quick=False)] * 2
    assert objects[2:] == [text_to_object(text, HOT) for text in texts[2:]]


def test_leaving_early_ends_the_workers() -> None:
    with pytest.raises(KeyboardInterrupt), code_generator(HOT, 2, PLENTY) as generate:
        for number in range(20):
            generate(unit(number))
        raise KeyboardInterrupt


def test_a_worker_answers_each_frame_and_ends_with_its_input() -> None:
    asked, answered = io.BytesIO(), io.BytesIO()
    for text in (HOT, unit(1), unit(2)):
        asked.write(len(text).to_bytes(8, "little") + text.encode())
    asked.write(b"\x05")  # cut off
    asked.seek(0)
    serve(asked, answered)
    first, second = (text_to_object(unit(number), HOT) for number in (1, 2))
    frames = [len(raw).to_bytes(8, "little") + raw for raw in (first, second)]
    assert answered.getvalue() == b"".join(frames)


@pytest.mark.parametrize(("running", "n_processors", "n_idle"), [
    (1, 4, 4), (2, 4, 4), (3, 4, 3), (5, 4, 2), (6, 4, 1), (60, 4, 1), (2, 2, 2), (3, 2, 2),
])  # fmt: skip
def test_one_unit_leaves_busy_processors_alone(
    running: int, n_processors: int, n_idle: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load = tmp_path / "loadavg"
    load.write_text(f"0.50 0.40 0.30 {running}/411 12345\n")
    monkeypatch.setattr(code_workers, "_LOAD", load)
    monkeypatch.setattr(code_workers.os, "cpu_count", lambda: n_processors)
    assert code_workers._idle_processors() == n_idle
    monkeypatch.setattr(code_workers, "_LOAD", tmp_path / "nothing")
    assert code_workers._idle_processors() == n_processors


def test_parts_of_one_unit_start_no_worker_on_a_busy_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load = tmp_path / "loadavg"
    load.write_text("9.50 9.40 9.30 99/411 12345\n")
    monkeypatch.setattr(code_workers, "_LOAD", load)
    monkeypatch.setattr(code_workers.subprocess, "Popen", None)
    with code_generator(HOT, 5, PLENTY, n_units=1) as generate:
        assert generate(unit(1)).result() == text_to_object(unit(1), HOT)
