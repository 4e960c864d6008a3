"""Every path that a page or a docstring names exists: files, links with their anchors, modules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.meta.house import ROOMS, ROOT, source_files

PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "interceptors/*.md")
    for path in ROOT.glob(pattern)
    if path.name != "CHANGELOG.md"  # what a release had may be gone in the next
)
FOLDERS = (*ROOMS, "tests", "bench", "docs", "examples")
_CODE_BLOCK = re.compile(r"^```.*?^```$|^    [^\n]*$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)#\s]*)(#[^)\s]+)?\)")
_CODE = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(
    rf"(?<![\w/.-])((?:{'|'.join(FOLDERS)})/[\w*/.-]*[\w*/]|irsan/[\w/]+\.py)"
    r"(?![\w*/.-]|` \(new)"  # a new file of an example is not there
)
_FOREIGN = re.compile(r"tests/[\w-]+\.(?:c|cc|cpp)")  # of other projects; ours: tests/programs
_FILE_NAME = re.compile(r"[\w-]+\.(?:py|ll|md)")
_MODULE = re.compile(r"python -m (irsan(?:\.\w+)+|tests(?:\.\w+)+)")
_MODULE_FILE = re.compile(r"(?<![\w./*-])[\w/]+\.py\b")
_ANCHOR = re.compile(r'<a id="([^"]+)">')
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def files() -> frozenset[str]:
    """Paths of all sources and documents, each with a slash in front."""
    folders = (ROOT / folder for folder in (*FOLDERS, "irsan/cli", ".ci"))
    found = [path for folder in folders for path in folder.rglob("*.*")]
    found += [*ROOT.glob("*.*"), *(ROOT / "irsan").glob("*.*")]
    return frozenset(f"/{path.relative_to(ROOT)}" for path in found)


FILES = files()
NAMES = frozenset(path.rpartition("/")[2] for path in FILES)


def anchors(page: Path) -> set[str]:
    """What a link into the page may name: explicit anchors, and headings as GitHub makes them."""
    text = page.read_text(encoding="utf-8")
    headings = (re.sub(r"[^\w\- ]", "", title.lower()) for title in _HEADING.findall(text))
    return set(_ANCHOR.findall(text)) | {heading.replace(" ", "-") for heading in headings}


def missing_links(page: Path, text: str) -> Iterator[str]:
    """Relative links whose file or anchor does not exist."""
    for target, anchor in _LINK.findall(text):
        if re.match(r"\w+:", target):
            continue
        file = page.parent / target if target else page
        if not file.exists() or (anchor and anchor[1:] not in anchors(file)):
            yield target + anchor


def missing_paths(text: str) -> Iterator[str]:
    """Paths from the root of the repository (`*` is a pattern) that lead to nothing."""
    for path in _PATH.findall(text):
        whole = path.rstrip(".")
        patterns = (
            whole,
            re.sub(r"\.\w+$", ".py", whole),
        )  # `runtime/options.NAME` is in options.py
        if not _FOREIGN.fullmatch(whole) and not any(any(ROOT.glob(p)) for p in patterns):
            yield whole


def missing_names(words: list[str]) -> Iterator[str]:
    """File names without a folder that no file of the repository has."""
    for word in words:
        if _FILE_NAME.fullmatch(word) and word not in NAMES:
            yield word


def missing_modules(text: str) -> Iterator[str]:
    """Modules of `python -m` that do not exist."""
    for module in _MODULE.findall(text):
        file = ROOT.joinpath(*module.split("."))
        if not file.with_suffix(".py").exists() and not file.is_dir():
            yield module


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_names_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    prose = _CODE_BLOCK.sub("", text)
    missing = [*missing_links(page, prose), *missing_paths(prose), *missing_modules(text)]
    missing += missing_names(_CODE.findall(prose))
    assert not missing, f"{page.name} names what does not exist: {missing}"


def docstrings(path: Path) -> Iterator[str]:
    """The docstrings of a module and of all that it defines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield ast.get_docstring(node, clean=False) or ""


def test_files_that_docstrings_name_exist() -> None:
    missing = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in source_files()
        for text in docstrings(path)
        for name in _MODULE_FILE.findall(text)
        if name not in NAMES
        and not any(known.endswith(f"/{name.removeprefix('irsan/')}") for known in FILES)
    ]
    assert not missing


def test_a_missing_path_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A title\n")
    assert list(missing_links(page, "[a](gone.md) [b](#a-title) [c](#no-title)")) == [
        "gone.md",
        "#no-title",
    ]
    assert list(missing_paths("see `engine/gone.py`, engine/cache.py.")) == ["engine/gone.py"]
    assert list(missing_names(["gone.py", "cache.py", "x = gone.py"])) == ["gone.py"]
    assert list(missing_modules("python -m irsan.gone.by")) == ["irsan.gone.by"]
