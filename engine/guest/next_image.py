"""dlsym(RTLD_NEXT, ...): what the images behind the caller's own one define.

The caller is known by the site of its call; images follow each other as the loader searches them:
the executable, then libraries with IR, breadth first.  Behind them come irsan's interceptors, the
system's libraries, and the copies of native ones, which the caller of `next_symbol` asks.

Source: dlsym(3).
Deviations: a library that was opened while the program ran has no image with IR behind it.  A
native library that asks is taken for whoever called it, and of several native ones that have a name
any may answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from irsan.engine.linker.image_names import of_image

if TYPE_CHECKING:
    from irsan.engine.guest.guest_link import LinkedProgram
    from irsan.instrument.sites.sites import JoinedSites


def next_symbol(program: LinkedProgram, sites: JoinedSites, site: int, name: str) -> int:
    """Address of the definition; 0 when no image behind the caller's has one.

    site: of the call.
    """
    group = _caller_group(program, sites, site)
    if group is not None:
        for later in range(group + 1, len(program.plan.names)):
            found = program.linker.symbols.get(of_image(name, later), 0)
            if found:
                return found
    return 0


def _caller_group(program: LinkedProgram, sites: JoinedSites, site: int) -> int | None:
    """The image of the unit in which a site lies; None for a library that was opened."""
    unit = sites.site_to_unit(site)
    if unit is None or unit >= len(program.plan.groups):
        return None
    return program.plan.groups[unit]
