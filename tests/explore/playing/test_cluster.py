"""A Dask cluster in the place of hosts: the same result, also when a worker dies in the middle."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from irsan.errors import MissingSymbolsError, UnsupportedError, UsageError
from irsan.explore.campaign import run_campaign
from irsan.explore.exploration import Exploration
from irsan.explore.explorer import Explorer, ExploreRequest
from irsan.explore.playing import cluster as cluster_module
from irsan.explore.playing.cluster import Cluster, ClusterError, ClusterPlayer
from irsan.explore.playing.hosts import Hosts
from tests.explore.programs import DEADLOCK, LOST_UPDATE, RACE, options_for
from tests.explore.test_campaign import rows, written

N_SCHEDULES = 400
HAS_DASK = "Dask is not installed: pip install 'irsan[cluster]'"


@pytest.fixture(scope="module")
def local() -> Iterator[Any]:
    """A cluster of two workers on this machine, each a process with one thread."""
    distributed = pytest.importorskip("distributed", reason=HAS_DASK)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs="CRITICAL",
    ) as found:  # fmt: skip
        yield found


def facts_of(result: Exploration) -> Any:
    """All of an exploration but how long it took."""
    return (
        result.n_schedules, result.status, result.hit, result.interleavings, result.tallies,
        result.outcomes, {key: (one.finding.kind, one.first, one.n_schedules)
                          for key, one in result.found.items()},
    )  # fmt: skip


def here(request: ExploreRequest) -> Any:
    explorer = Explorer(request)
    with Hosts(1) as hosts:
        explorer.play(hosts)
    return facts_of(explorer.result)


def test_a_worker_that_dies_in_the_middle_changes_nothing(local: Any, tmp_path: Path) -> None:
    request = ExploreRequest(options_for(tmp_path, RACE), N_SCHEDULES)
    killed = []

    def kill_one(result: Exploration) -> None:
        if result.n_schedules == N_SCHEDULES // 4:
            workers = cluster.client.run(os.getpid)
            killed.append(sorted(workers)[0])
            os.kill(workers[killed[0]], signal.SIGKILL)

    explorer = Explorer(request, kill_one)
    with Cluster(local.scheduler_address) as cluster, ClusterPlayer(cluster) as player:
        explorer.play(player)
        cluster.client.wait_for_workers(2, timeout=60)
        assert killed[0] not in cluster.client.nthreads()  # another one has taken its place
    assert facts_of(explorer.result) == here(request)


def test_a_campaign_on_a_cluster_keeps_what_one_here_keeps(local: Any, tmp_path: Path) -> None:
    programs = written(tmp_path)
    request = ExploreRequest(options_for(tmp_path, RACE), 60)
    found = []
    for name, address in (("here", ""), ("there", local.scheduler_address)):
        store = tmp_path / f"{name}.sqlite"
        assert run_campaign(store, [str(programs)], replace(request, cluster=address)) == 66
        found.append(rows_by_command(store))
    assert found[0] == found[1]


def rows_by_command(store: Path) -> Any:
    """What a campaign has kept, whichever program was first."""
    kept = rows(store)
    names = dict(enumerate((command for command, _ in kept["programs"]), 1))
    return {
        table: sorted((names[row[0]], *row[1:]) for row in kept[table])
        for table in ("schedules", "findings")
    }


def test_a_program_that_cannot_begin_is_refused_as_here(local: Any, tmp_path: Path) -> None:
    options = options_for(tmp_path, "int nowhere(void); int main(void) { return nowhere(); }")
    with Cluster(local.scheduler_address) as cluster, ClusterPlayer(cluster) as player:
        with pytest.raises(MissingSymbolsError, match=r"nowhere .*program\.c"):
            player.load(options)
        player.load(options_for(tmp_path, DEADLOCK))  # the cluster goes on


def test_the_cluster_is_left_as_it_was_found(local: Any, tmp_path: Path) -> None:
    with Cluster(local.scheduler_address) as cluster, ClusterPlayer(cluster) as player:
        player.load(options_for(tmp_path, LOST_UPDATE))
        assert any(cluster.name in name for name in _plugins(cluster))
        name = cluster.name
    with Cluster(local.scheduler_address) as cluster:
        assert not any(name in plugin for plugin in _plugins(cluster))


def _plugins(cluster: Cluster) -> list[str]:
    def names(dask_worker: Any) -> list[str]:
        return [*dask_worker.plugins]

    return [name for found in cluster.client.run(names).values() for name in found]


def test_another_irsan_on_a_worker_is_named(
    local: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from irsan.explore.playing import cluster_worker

    monkeypatch.setattr(cluster_worker, "runtime_sources_hash", lambda: "another")
    options = options_for(tmp_path, LOST_UPDATE)
    with (
        Cluster(local.scheduler_address) as cluster,
        ClusterPlayer(cluster) as player,
        pytest.raises(UsageError, match="install the same one everywhere"),
    ):
        player.load(options)


def test_a_cluster_that_ends_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_module, "_CONNECT_S", 2)  # so long Dask waits for another scheduler
    distributed = pytest.importorskip("distributed", reason=HAS_DASK)
    options = options_for(tmp_path, LOST_UPDATE)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0",
        silence_logs="CRITICAL",
    ) as found, Cluster(found.scheduler_address) as cluster:  # fmt: skip
        player = ClusterPlayer(cluster)
        player.load(options)
        explorer = Explorer(ExploreRequest(options, 4000), lambda _: found.close())
        with pytest.raises(ClusterError, match=found.scheduler_address):
            explorer.play(player)


def test_an_address_without_a_scheduler_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason=HAS_DASK)
    monkeypatch.setattr(cluster_module, "_CONNECT_S", 0.5)
    with pytest.raises(UsageError, match=r"--cluster tcp://127.0.0.1:9: no Dask scheduler answers"):
        Cluster("tcp://127.0.0.1:9")
    with pytest.raises(UsageError, match="neither an address"):
        Cluster("nothing.json")


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UnsupportedError, match=r"pip install 'irsan\[cluster\]'"):
        Cluster("tcp://127.0.0.1:9")
