"""OMP_* variables: what is read, and what is said of what cannot be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.engine.guest.openmp_settings import read_settings, uses_openmp
from irsan.runtime.records.threads import openmp_records as om


def test_a_run_has_four_threads_on_every_machine() -> None:
    words, complaints = read_settings({})
    assert (words["n_threads"], words["n_procs"], complaints) == ([4], 4, [])
    assert words["schedule"] == om.STATIC and words["max_levels"] == 1


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("OMP_NUM_THREADS", "8, 2", {"n_threads": [8, 2]}),
        ("OMP_SCHEDULE", "dynamic,5", {"schedule": om.DYNAMIC, "chunk": 5}),
        ("OMP_SCHEDULE", "nonmonotonic:guided", {"schedule": om.GUIDED, "chunk": 0}),
        ("OMP_SCHEDULE", "STATIC, 3", {"schedule": om.STATIC_CHUNKED, "chunk": 3}),
        ("OMP_NESTED", "TRUE", {"max_levels": 255}),
        ("OMP_MAX_ACTIVE_LEVELS", "0", {"max_levels": 0}),
        ("OMP_DYNAMIC", "false", {"dynamic": 0}),
        ("OMP_CANCELLATION", "true", {"cancels": 1}),
        ("OMP_THREAD_LIMIT", "3", {"thread_limit": 3}),
        ("OMP_STACKSIZE", "16M", {"stack_bytes": 16 << 20}),
        ("OMP_STACKSIZE", "512", {"stack_bytes": 512 << 10}),
        ("OMP_NUM_TEAMS", "2", {"n_teams": 2}),
        ("OMP_TEAMS_THREAD_LIMIT", "7", {"teams_limit": 7}),
        ("OMP_DISPLAY_ENV", "Verbose", {"shows_environment": 2}),
        ("OMP_DISPLAY_ENV", "false", {"shows_environment": 0}),
        ("OMP_DISPLAY_AFFINITY", "TRUE", {"shows_affinity": 1}),
    ],
)
def test_variables_are_read(name: str, text: str, wanted: dict[str, object]) -> None:
    words, complaints = read_settings({name: text})
    assert {key: words[key] for key in wanted} == wanted and complaints == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("OMP_NUM_THREADS", "0"), ("OMP_NUM_THREADS", "4,x"), ("OMP_NUM_THREADS", "99999"),
        ("OMP_SCHEDULE", "fair"), ("OMP_SCHEDULE", "dynamic,-1"), ("OMP_DYNAMIC", "perhaps"),
        ("OMP_STACKSIZE", "1K"), ("OMP_STACKSIZE", "9T"), ("OMP_THREAD_LIMIT", "-3"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said_and_left_out(name: str, text: str) -> None:
    words, complaints = read_settings({name: text})
    assert words == read_settings({})[0]
    assert len(complaints) == 1 and complaints[0].startswith(f"irsan: {name}={text}: expected ")


@given(st.dictionaries(st.sampled_from(["OMP_NUM_THREADS", "OMP_SCHEDULE", "OMP_STACKSIZE"]),
                       st.text(max_size=20)))  # fmt: skip
def test_any_text_is_read_or_said(environment: dict[str, str]) -> None:
    words, complaints = read_settings(environment)
    assert len(complaints) <= len(environment) and words.keys() == read_settings({})[0].keys()


def test_only_programs_that_call_it_use_it() -> None:
    assert uses_openmp(["printf", "__kmpc_fork_call"]) and uses_openmp(["omp_get_wtime"])
    assert not uses_openmp(["printf", "kmpc", "compute"])
