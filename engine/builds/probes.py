"""Programs that a build compiles to learn of the compiler: they are native code, nothing more.

A probe that ended with a finding, or took a second, would be taken for a missing feature.

    autoconf, autosetup, SCons, Ruby   conftest*          CMake    in CMakeFiles/CMakeScratch,
    Meson     in meson-private                                     CMakeTmp, CompilerIdC ...
    waf       in .conf_check_*                            ffmpeg   in ffconf.*
    Python    _configtest.c                               qemu     in config-temp
    nginx     objs/autotest.c                             musl     conf1-2-3.c
    perl      try.c in UU                                 zlib, libvpx, qmake ...   below

`IRSAN_NATIVE=1` makes every command a probe: tools of a build that must not be checked.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from irsan.engine.builds.words import Words

_NAMES: Final = re.compile(
    r"(conftest|ac_nonexistent|_configtest|ffconf|ztest\d|testCCompiler|testCXXCompiler|"
    r"CMakeCCompilerId|CMakeCXXCompilerId|sanitycheck(c|cpp)|qtconftest|autotest|vpx-conf-|"
    r"conf\d+-\d)[\w.-]*"
)
_FOLDERS: Final = re.compile(
    r"CMakeScratch|CMakeTmp|CompilerId(C|CXX)|_CMakeLTOTest-\w+|meson-private|\.conf_check_\w+|"
    r"config\.tests|\.sconf_temp|ffconf\.\w+|config-temp|UU"
)


def is_probe(words: Words, folder: Path) -> bool:
    """Whether a command is a question to the compiler and no part of the program.

    folder: where the command runs.
    """
    if os.environ.get("IRSAN_NATIVE", "") not in ("", "0"):
        return True
    paths = [one.path for one in words.inputs] + [words.output or ""]
    if any(_NAMES.fullmatch(Path(path).name) for path in paths):
        return True
    parts = {part for path in paths for part in Path(path).parent.parts}
    return any(_FOLDERS.fullmatch(part) for part in parts.union(folder.parts))
