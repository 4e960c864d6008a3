"""The cache folder: what is put comes back, damage reads as absence, trouble is one notice."""

from __future__ import annotations

import fcntl
import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.engine.cache import Cache, folder_size_bytes, prune

KEY = hashlib.sha256(b"key").hexdigest()


def entry_path(cache: Cache) -> Path:
    assert cache.root is not None
    return cache.root / "objects" / KEY[:2] / KEY


def test_what_is_put_comes_back(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    assert cache.get("objects", KEY) is None
    cache.put("objects", KEY, b"payload")
    assert cache.get("objects", KEY) == b"payload"
    assert Cache(tmp_path).get("objects", KEY) == b"payload"


def test_namespaces_are_apart(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("objects", KEY, b"payload")
    assert cache.get("others", KEY) is None


def test_a_second_put_replaces(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("objects", KEY, b"one")
    cache.put("objects", KEY, b"two")
    assert cache.get("objects", KEY) == b"two"


@given(payload=st.binary(max_size=200), cut=st.integers(0, 300), flip=st.integers(0, 8 * 300))
def test_a_damaged_entry_reads_as_absent(
    tmp_path_factory: pytest.TempPathFactory, payload: bytes, cut: int, flip: int
) -> None:
    """Whatever one bit or one truncation does, the result is the payload or nothing."""
    cache = Cache(tmp_path_factory.mktemp("cache"))
    cache.put("objects", KEY, payload)
    path = entry_path(cache)
    whole = path.read_bytes()

    path.write_bytes(whole[:cut])
    assert cache.get("objects", KEY) == (payload if cut >= len(whole) else None)

    damaged = bytearray(whole)
    damaged[flip // 8 % len(whole)] ^= 1 << flip % 8
    path.write_bytes(damaged)
    assert cache.get("objects", KEY) is None


def test_a_damaged_entry_is_replaced(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("objects", KEY, b"payload")
    entry_path(cache).write_bytes(b"garbage")
    cache.put("objects", KEY, b"payload")
    assert cache.get("objects", KEY) == b"payload"


def test_an_unwritable_folder_costs_one_notice(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    notices: list[str] = []
    cache = Cache(tmp_path / "file" / "cache", notify=notices.append)
    cache.put("objects", KEY, b"payload")
    cache.put("objects", KEY, b"payload")
    assert cache.get("objects", KEY) is None
    assert cache.folder("tools/zig").is_dir()
    assert len(notices) == 1
    assert "IRSAN_CACHE_DIR" in notices[0]


def test_a_full_disk_costs_one_notice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_space(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    notices: list[str] = []
    cache = Cache(tmp_path, notify=notices.append)
    monkeypatch.setattr("tempfile.mkstemp", no_space)
    cache.put("objects", KEY, b"payload")
    cache.put("objects", KEY, b"payload")
    assert len(notices) == 1
    assert "No space left" in notices[0]


def test_without_a_folder_nothing_is_kept_and_nothing_fails() -> None:
    cache = Cache(None)
    cache.put("objects", KEY, b"payload")
    assert cache.get("objects", KEY) is None
    assert cache.folder("numba").is_dir()


def parts_of(cache: Cache) -> tuple[bytes, bytes] | None:
    found = cache.open_parts("parts", KEY)
    if found is None:
        return None
    head, body = found
    content = os.pread(body.descriptor, body.size_bytes, 0)
    body.close()
    return bytes(head), content


def test_an_entry_of_two_parts_comes_back(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    assert parts_of(cache) is None
    digest = cache.put_parts("parts", KEY, b"head", [b"one", memoryview(b"two")])
    assert parts_of(cache) == (b"head", b"onetwo")
    assert digest == hashlib.sha256(b"onetwo").hexdigest()
    cache.put_parts("parts", KEY, b"other", [b""])
    assert parts_of(Cache(tmp_path)) == (b"other", b"")


@pytest.mark.parametrize("name", ["head", "body", "body.seal"])
def test_an_entry_of_which_a_part_is_damaged_is_absent(tmp_path: Path, name: str) -> None:
    cache = Cache(tmp_path)
    cache.put_parts("parts", KEY, b"head", [b"body"])
    path = next(tmp_path.rglob(name))
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert parts_of(cache) is None
    path.unlink()
    assert parts_of(cache) is None


def test_a_head_of_another_body_is_absent(tmp_path: Path) -> None:
    """As when two processes make different ones at once."""
    cache = Cache(tmp_path)
    cache.put_parts("parts", KEY, b"head", [b"body"])
    head = next(tmp_path.rglob("head"))
    kept = head.read_bytes()
    cache.put_parts("parts", KEY, b"head", [b"BODY"])
    head.write_bytes(kept)
    assert parts_of(cache) is None


def test_parts_that_cannot_be_kept_have_no_hash(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = Cache(tmp_path / "file" / "cache", notify=lambda _: None)
    assert cache.put_parts("parts", KEY, b"head", [b"body"]) == ""
    assert Cache(None).put_parts("parts", KEY, b"head", [b"body"]) == ""
    assert parts_of(cache) is None


def test_both_parts_are_pruned_by_their_last_use(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put_parts("parts", KEY, b"head", [bytes(1000)])
    for path in tmp_path.rglob("*"):
        os.utime(path, (1, 1))
    put_aged(cache, "young", 1000, age_s=100)
    assert parts_of(cache) is not None  # used now: the youngest
    assert prune(tmp_path, limit_bytes=2000) >= 1000
    assert parts_of(cache) is not None


def put_aged(cache: Cache, name: str, size_bytes: int, age_s: int) -> str:
    key = hashlib.sha256(name.encode()).hexdigest()
    cache.put("objects", key, bytes(size_bytes))
    assert cache.root is not None
    path = cache.root / "objects" / key[:2] / key
    now = path.stat().st_mtime
    os.utime(path, (now - age_s, now - age_s))
    return key


def test_pruning_takes_the_least_recently_used(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    keys = [put_aged(cache, f"entry {i}", 1000, age_s=1000 - 100 * i) for i in range(10)]
    assert cache.get("objects", keys[0]) is not None  # used now: the youngest
    freed = prune(tmp_path, limit_bytes=6000)
    assert freed > 0
    assert folder_size_bytes(tmp_path) <= 6000
    kept = [key for key in keys if cache.get("objects", key) is not None]
    assert kept == [keys[0], *keys[-len(kept) + 1 :]]


def test_pruning_under_the_limit_deletes_nothing(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    key = put_aged(cache, "entry", 1000, age_s=100)
    assert prune(tmp_path, limit_bytes=10_000) == 0
    assert cache.get("objects", key) is not None


def test_pruning_takes_a_tool_folder_as_a_whole(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    old = cache.folder("numba/old")
    for name in ("index", "code"):
        (old / name).write_bytes(bytes(3000))
        os.utime(old / name, (1, 1))
    os.utime(old, (1, 1))
    key = put_aged(cache, "entry", 1000, age_s=0)
    prune(tmp_path, limit_bytes=5000)
    assert not old.exists()
    assert cache.get("objects", key) is not None


def test_a_put_prunes_over_the_limit(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    old = put_aged(cache, "old", 5000, age_s=1000)
    limited = Cache(tmp_path, limit_bytes=4000)
    limited.put("objects", KEY, b"new")
    assert limited.get("objects", old) is None
    assert limited.get("objects", KEY) == b"new"


def test_one_process_at_a_time_makes_a_thing(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    with cache.alone("thing"):
        lock = cache.folder("locks") / "thing"
        with lock.open("w") as other, pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with lock.open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_folder_that_takes_no_lock_is_no_reason_to_stop(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.folder("locks").mkdir(parents=True, exist_ok=True)
    (cache.folder("locks") / "thing").mkdir()
    with cache.alone("thing"):
        cache.put("made", "00", b"made")
    assert cache.get("made", "00") == b"made"
