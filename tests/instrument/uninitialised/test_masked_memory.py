"""Masked vectors and atomic operations: bits that come from memory, and bits that go there."""

from __future__ import annotations

import pytest

from tests.support.shadow_runs import ShadowRun

LANES = """
define void @f(ptr noundef %in, ptr noundef %out) {{
  %old = load {kind}, ptr %in
  %q = getelementptr i8, ptr %in, i64 16
  %v = call {kind} @llvm.masked.load.{name}.p0(ptr %q, i32 1,
    <2 x i1> <i1 true, i1 false>, {kind} %old)
  call void @llvm.masked.store.{name}.p0({kind} %v, ptr %out, i32 1, <2 x i1> <i1 true, i1 true>)
  %r = getelementptr i8, ptr %out, i64 16
  call void @llvm.masked.store.{name}.p0({kind} %v, ptr %r, i32 1, <2 x i1> <i1 false, i1 true>)
  ret void
}}
declare {kind} @llvm.masked.load.{name}.p0(ptr, i32, <2 x i1>, {kind})
declare void @llvm.masked.store.{name}.p0({kind}, ptr, i32, <2 x i1>)
"""
PACKED = """
define void @f(ptr noundef %in, ptr noundef %out) {
  %v = call <4 x i8> @llvm.masked.expandload.v4i8(ptr %in,
    <4 x i1> <i1 true, i1 false, i1 true, i1 true>, <4 x i8> zeroinitializer)
  call void @llvm.masked.compressstore.v4i8(<4 x i8> %v, ptr %out,
    <4 x i1> <i1 false, i1 true, i1 true, i1 true>)
  ret void
}
declare <4 x i8> @llvm.masked.expandload.v4i8(ptr, <4 x i1>, <4 x i8>)
declare void @llvm.masked.compressstore.v4i8(<4 x i8>, ptr, <4 x i1>)
"""
APART = """
define void @f(ptr noundef %in, ptr noundef %out) {{
  %old = load {kind}, ptr %in
  %q = getelementptr i8, ptr %in, <2 x i64> <i64 24, i64 16>
  %v = call {kind} @llvm.masked.gather.{name}.v2p0(<2 x ptr> %q, i32 1,
    <2 x i1> <i1 true, i1 false>, {kind} %old)
  %r = getelementptr i8, ptr %out, <2 x i64> <i64 8, i64 0>
  call void @llvm.masked.scatter.{name}.v2p0({kind} %v, <2 x ptr> %r, i32 1,
    <2 x i1> <i1 true, i1 true>)
  %s = getelementptr i8, ptr %out, <2 x i64> <i64 16, i64 24>
  call void @llvm.masked.scatter.{name}.v2p0({kind} %v, <2 x ptr> %s, i32 1,
    <2 x i1> <i1 false, i1 true>)
  ret void
}}
declare {kind} @llvm.masked.gather.{name}.v2p0(<2 x ptr>, i32, <2 x i1>, {kind})
declare void @llvm.masked.scatter.{name}.v2p0({kind}, <2 x ptr>, i32, <2 x i1>)
"""
DECIDED = """
define void @f(ptr noundef %in, ptr noundef %out) {{
  %first = load i8, ptr %in
  %mask = bitcast i8 %first to <8 x i1>
  %two = shufflevector <8 x i1> %mask, <8 x i1> poison, <2 x i32> <i32 0, i32 1>
  %q = getelementptr i8, ptr %in, i64 16
  %offsets = load <2 x i8>, ptr %q
  %wide = zext <2 x i8> %offsets to <2 x i64>
  %ps = getelementptr i8, ptr %in, <2 x i64> %wide
  %v = call <2 x i8> @llvm.masked.gather.v2i8.v2p0(<2 x ptr> %ps, i32 1,
    <2 x i1> {mask}, <2 x i8> zeroinitializer)
  store <2 x i8> %v, ptr %out
  ret void
}}
declare <2 x i8> @llvm.masked.gather.v2i8.v2p0(<2 x ptr>, i32, <2 x i1>, <2 x i8>)
"""
CHANGED = """
define void @f(ptr noundef %in, ptr noundef %out) {{
  %old = atomicrmw {operation} ptr %in, i8 5 seq_cst
  {rest}
  ret void
}}
"""
BRANCH = "%c = icmp ult i8 %old, 2\nbr i1 %c, label %x, label %x\nx:"


@pytest.mark.parametrize(
    ("kind", "name"),
    [("<2 x i64>", "v2i64"), ("<2 x double>", "v2f64"), ("<2 x ptr>", "v2p0")],
)
def test_lanes_keep_their_bits(kind: str, name: str) -> None:
    run = ShadowRun(LANES.format(kind=kind, name=name))
    old, new = b"\x01" * 8 + b"\x02" * 8, b"\x0f" * 8 + b"\xf0" * 8
    values, bits, findings = run(old + new, old + new)
    wanted = new[:8] + old[8:] + bytes(8) + old[8:]
    assert (values[:32], bits[:32], findings) == (wanted, wanted, 0)


@pytest.mark.parametrize(
    ("kind", "name"),
    [("<2 x i64>", "v2i64"), ("<2 x double>", "v2f64"), ("<2 x ptr>", "v2p0")],
)
def test_each_lane_has_its_own_place(kind: str, name: str) -> None:
    run = ShadowRun(APART.format(kind=kind, name=name))
    old, new = b"\x01" * 8 + b"\x02" * 8, b"\x0f" * 8 + b"\xf0" * 8
    values, bits, findings = run(old + new, old + new)
    wanted = old[8:] + new[8:] + bytes(8) + old[8:]
    assert (values[:32], bits[:32], findings) == (wanted, wanted, 0)


@pytest.mark.parametrize(
    ("mask", "unset", "n_findings"),
    [
        ("%two", b"\xfc" + bytes(15) + b"\xf0\x0f", 1),  # of the lane that is on
        ("%two", b"\x02", 1),
        ("%two", b"\xfc" + bytes(15) + b"\x00\xff", 0),  # the second lane is off
        ("<i1 false, i1 true>", b"\xff" + bytes(15) + b"\xff\x00", 0),
        ("<i1 false, i1 true>", bytes(17) + b"\x01", 1),
    ],
)
def test_masks_and_addresses_of_lanes_are_used(mask: str, unset: bytes, n_findings: int) -> None:
    run = ShadowRun(DECIDED.format(mask=mask))
    assert run(b"\x01", unset)[2] == n_findings


def test_lanes_that_lie_in_a_row() -> None:
    values, bits, _ = ShadowRun(PACKED)(b"\x01\x02\x03", b"\x04\x05\x06")
    assert (values[:4], bits[:4]) == (b"\x00\x02\x03\x00", b"\x00\x05\x06\x00")


@pytest.mark.parametrize("operation", ["add", "xchg", "umax"])
def test_an_atomic_operation_gives_what_was_there(operation: str) -> None:
    stored = ShadowRun(CHANGED.format(operation=operation, rest="store i8 %old, ptr %out"))
    assert stored(b"\x01", b"\x70")[:2] == (
        b"\x01" + bytes(127), b"\x70" + bytes(127)
    )  # fmt: skip
    used = ShadowRun(CHANGED.format(operation=operation, rest=BRANCH))
    assert [used(b"\x01", bits)[2] for bits in (b"\x00", b"\xff")] == [0, 1]


def test_what_an_atomic_operation_leaves_is_set() -> None:
    rest = "%now = load i8, ptr %in\nstore i8 %now, ptr %out"
    assert ShadowRun(CHANGED.format(operation="add", rest=rest))(b"\x01", b"\xff")[1] == bytes(128)
