"""Who plays the schedules of a request: hosts of this machine, or the workers of a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from irsan.explore.explorer import ExploreRequest
from irsan.explore.playing.cluster import Cluster, ClusterPlayer
from irsan.explore.playing.hosts import Hosts, Player


@contextmanager
def player_of(request: ExploreRequest) -> Iterator[Player]:
    """A player, until the block ends."""
    if request.cluster:
        with Cluster(request.cluster) as cluster, ClusterPlayer(cluster) as player:
            yield player
    else:
        with Hosts(min(request.n_jobs, request.n_schedules)) as hosts:
            yield hosts
