"""Which programs need a dynamic linker that knows their LD_LIBRARY_PATH."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from irsan.engine.linker.link_plan import LinkPlan, NativeObject
from irsan.engine.program_image.program import ProgramImage
from irsan.engine.snapshot.own_loader import needs_own_loader


@pytest.fixture
def image() -> ProgramImage:
    return ProgramImage((b"code",), (), b"{}", "key", is_cxx=False, opens=False)


def test_only_with_the_variable(image: ProgramImage) -> None:
    opening = replace(image, opens=True)
    native = NativeObject("a.o", b"\0dlopen\0")
    assert not needs_own_loader(opening, {"LD_LIBRARY_PATH": ":"})
    beside = replace(image, plan=LinkPlan(natives=(native,)))
    for one in (opening, beside):
        assert needs_own_loader(one, {"LD_LIBRARY_PATH": "/nowhere"})
    assert not needs_own_loader(image, {"LD_LIBRARY_PATH": "/nowhere"})


def test_native_libraries_and_what_lies_there(image: ProgramImage, tmp_path: Path) -> None:
    found = {"LD_LIBRARY_PATH": str(tmp_path)}
    native = replace(image, plan=LinkPlan(libraries=("/lib/libz.so.1",)))
    (tmp_path / "readme").touch()
    (tmp_path / "libown.so.1.2.p").mkdir()
    assert not needs_own_loader(native, found)
    checked = tmp_path / "libown.so.1.2"
    checked.touch()
    (tmp_path / "libown.so").symlink_to(checked)
    assert needs_own_loader(native, found)
    assert not needs_own_loader(image, found)
    plan = replace(native.plan, paths=(str(checked.resolve()),))
    assert not needs_own_loader(replace(native, plan=plan), found)


def test_another_library_of_cxx(image: ProgramImage, tmp_path: Path) -> None:
    (tmp_path / "libstdc++.so.6").touch()
    found = {"LD_LIBRARY_PATH": str(tmp_path)}
    assert not needs_own_loader(image, found)
    assert needs_own_loader(replace(image, is_cxx=True), found)
