"""Schedules until a bug shows, by strategy, for the corpus of concurrency bugs.

    python bench/explored_bugs.py                          the published families, three campaigns
    python bench/explored_bugs.py --folder bugs            the other bugs
    python bench/explored_bugs.py --strategies pos,pct:3   these only; `default` is the portfolio
    python bench/explored_bugs.py reorder_10 twostage_50   these programs only

A bug shows when the program fails as its head lines say (tests/support/explored_programs.py); a
race report or a lock order that could deadlock is not enough.  A campaign is 1,000 schedules from
one seed.  Printed is a Markdown table of means; a campaign that shows nothing counts with all its
schedules, and `-` is where no campaign shows anything.  Same seeds, same table, on any machine.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from irsan.explore.playing.hosts import Hosts
from irsan.explore.portfolio import Strategy, parse_strategies
from tests.support.explored_programs import ExploredProgram, discover_programs
from tests.support.explored_runs import Judge, options_of, play_campaign

DEFAULT = "default"
STRATEGIES = "default,random,uniform,pct:2,pct:3,pos,urw,surw,race_directed,rff"


def first_failures(
    hosts: Hosts, judge: Judge, strategies: tuple[Strategy, ...], n_campaigns: int, n: int
) -> Iterator[int | None]:
    """By campaign, how many schedules it takes; None: more than n."""
    for campaign in range(n_campaigns):
        played = play_campaign(hosts, judge, campaign, n, strategies)
        yield next((one.index + 1 for one in played if judge.consequence(one)), None)
        played.close()


def mean_text(firsts: Sequence[int | None], n: int) -> str:
    """The mean of campaigns, as the table shows it."""
    if all(first is None for first in firsts):
        return "-"
    mean = sum(n if first is None else first for first in firsts) / len(firsts)
    return f"{'>' if None in firsts else ''}{mean:.0f}"


def row_of(hosts: Hosts, program: ExploredProgram, asked: argparse.Namespace) -> str:
    """A program's line of the table."""
    hosts.load(options_of(program))
    judge, cells = Judge(program), []
    for name in asked.strategies.split(","):
        strategies = () if name == DEFAULT else parse_strategies(name)
        found = list(first_failures(hosts, judge, strategies, asked.campaigns, asked.schedules))
        cells.append(mean_text(found, asked.schedules))
    return f"| {program.name} | {' | '.join(cells)} |"


def main() -> None:
    """Print the table, a line as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--folder", default="published", choices=("published", "bugs"))
    parser.add_argument("--strategies", default=STRATEGIES)
    parser.add_argument("--campaigns", type=int, default=3)
    parser.add_argument("--schedules", type=int, default=1000)
    asked = parser.parse_args()
    names = asked.strategies.split(",")
    print(f"| program | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|", sep="\n")
    with Hosts(1) as hosts:
        for program in discover_programs("" if asked.programs else asked.folder):
            if not asked.programs or program.name in asked.programs:
                print(row_of(hosts, program, asked), flush=True)


if __name__ == "__main__":
    main()
