; Exact objects: one subtraction and one comparison.
;
;   __irsan_bounds_check(p, lo, length, info, site):
;
;       p - lo < length  -yes->  done
;           | no
;       __irsan_slow_bounds(p, lo, length, info, site)      preserve_mostcc, noinline
;
;   __irsan_bounds_range(p, lo, length, size, info, site):
;
;       p - lo < length and size <= length - (p - lo)  -yes->  done
;           | no
;       __irsan_slow_range(p, lo, length, size, info, site)     preserve_mostcc, noinline
;
;   __irsan_bounds_near(p, root, at, at, at, at, info, site):   (instrument/bounds/near_roots.py)
;
;       8 bytes of shadow == 0 at each number of granules behind the root's  -yes->  done
;           | no                  looks are constant; of equal ones the first is made
;       __irsan_slow_near(p, root, info, site)              preserve_mostcc, noinline
;
;   __irsan_object_lo(root, place, reach):  the extent of the object at root, kept at its place or
;                                           one behind it (kernels/heap/kept_extents.py)
;       root - kept.lo < kept.kept_bytes and shadow of root == 0  -yes->  kept.lo
;           | no                  any number may be a root: what is kept has shadow
;       __irsan_slow_extent(root, place, reach)             preserve_mostcc, noinline; keeps it
;
;   __irsan_object_length(root, place)      behind it: kept.length
;
;   __irsan_bounds_asked(p, root, place, reach, info, site):   both for the one access that asks
;
;       root - kept.lo < kept.kept_bytes and p - kept.lo < kept.kept_bytes  -yes->  done
;           | no                  where both lie in one block, no answer would say otherwise
;       __irsan_slow_asked(p, root, place, reach, info, site)   preserve_mostcc, noinline; keeps it
;
;   __irsan_pointer_kept(p, lo, length, root):    p, which comes from root, is stored
;
;       p - lo <= length  -yes->  done
;           | no
;       __irsan_slow_kept(p, lo, length, root)     preserve_mostcc; kernels/heap/outside_pointers.py

define void @__irsan_bounds_check(ptr %p, ptr %lo, i64 %n, i64 %info, i32 %site)
    alwaysinline nounwind {
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %lo to i64
  %offset = sub i64 %a, %b
  %inside = icmp ult i64 %offset, %n
  br i1 %inside, label %done, label %slow, !prof !0
slow:
  call preserve_mostcc void @__irsan_slow_bounds(i64 %a, i64 %b, i64 %n, i64 %info, i32 %site)
  br label %done
done:
  ret void
}

define void @__irsan_pointer_kept(ptr %p, ptr %lo, i64 %n, ptr %root) alwaysinline nounwind {
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %lo to i64
  %offset = sub i64 %a, %b
  %inside = icmp ule i64 %offset, %n
  br i1 %inside, label %done, label %slow, !prof !0
slow:
  %from = ptrtoint ptr %root to i64
  call preserve_mostcc void @__irsan_slow_kept(i64 %a, i64 %b, i64 %n, i64 %from)
  br label %done
done:
  ret void
}

define void @__irsan_bounds_range(
    ptr %p, ptr %lo, i64 %n, i64 %size, i64 %info, i32 %site) alwaysinline nounwind {
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %lo to i64
  %offset = sub i64 %a, %b
  %inside = icmp ult i64 %offset, %n
  %left = sub i64 %n, %offset
  %fits = icmp ule i64 %size, %left
  %ok = and i1 %inside, %fits
  br i1 %ok, label %done, label %slow, !prof !0
slow:
  call preserve_mostcc void @__irsan_slow_range(
      i64 %a, i64 %b, i64 %n, i64 %size, i64 %info, i32 %site)
  br label %done
done:
  ret void
}

define void @__irsan_bounds_near(
    ptr %p, ptr %root, i64 %at.0, i64 %at.1, i64 %at.2, i64 %at.3, i64 %info, i32 %site)
    alwaysinline nounwind {
  %b = ptrtoint ptr %root to i64
  %granule = lshr i64 %b, 3
  %shadow = add i64 %granule, ptrtoint (ptr @memory_map.SHADOW_OFFSET to i64)
  %number.0 = add i64 %shadow, %at.0
  %from.0 = inttoptr i64 %number.0 to ptr
  %value.0 = load i64, ptr %from.0, align 1
  %clean.0 = icmp eq i64 %value.0, 0
  br i1 %clean.0, label %next.1, label %slow, !prof !0
next.1:
  %is.last.1 = icmp eq i64 %at.0, %at.1
  br i1 %is.last.1, label %done, label %look.1
look.1:
  %number.1 = add i64 %shadow, %at.1
  %from.1 = inttoptr i64 %number.1 to ptr
  %value.1 = load i64, ptr %from.1, align 1
  %clean.1 = icmp eq i64 %value.1, 0
  br i1 %clean.1, label %next.2, label %slow, !prof !0
next.2:
  %is.last.2 = icmp eq i64 %at.1, %at.2
  br i1 %is.last.2, label %done, label %look.2
look.2:
  %number.2 = add i64 %shadow, %at.2
  %from.2 = inttoptr i64 %number.2 to ptr
  %value.2 = load i64, ptr %from.2, align 1
  %clean.2 = icmp eq i64 %value.2, 0
  br i1 %clean.2, label %next.3, label %slow, !prof !0
next.3:
  %is.last.3 = icmp eq i64 %at.2, %at.3
  br i1 %is.last.3, label %done, label %look.3
look.3:
  %number.3 = add i64 %shadow, %at.3
  %from.3 = inttoptr i64 %number.3 to ptr
  %value.3 = load i64, ptr %from.3, align 1
  %clean.3 = icmp eq i64 %value.3, 0
  br i1 %clean.3, label %done, label %slow, !prof !0
slow:
  %a = ptrtoint ptr %p to i64
  call preserve_mostcc void @__irsan_slow_near(i64 %a, i64 %b, i64 %info, i32 %site)
  br label %done
done:
  ret void
}

; Bytes into the table. Questions whose number is -1 share places, one of which the root chooses.
define internal i64 @__irsan_extent_place(i64 %a, i64 %place) alwaysinline nounwind {
  %far = lshr i64 %a, 4
  %mixed = xor i64 %a, %far
  %last = sub i64 ptrtoint (ptr @extent_records.N_SHARED to i64), 1
  %bits = mul i64 %last, ptrtoint (ptr @extent_records.PLACE_BYTES to i64)
  %which = and i64 %mixed, %bits
  %start = mul i64 ptrtoint (ptr @extent_records.N_OWN to i64),
                   ptrtoint (ptr @extent_records.PLACE_BYTES to i64)
  %shared = add i64 %which, %start
  %number = urem i64 %place, ptrtoint (ptr @extent_records.N_OWN to i64)
  %own = mul i64 %number, ptrtoint (ptr @extent_records.PLACE_BYTES to i64)
  %is.shared = icmp eq i64 %place, -1
  %from = select i1 %is.shared, i64 %shared, i64 %own
  ret i64 %from
}

define ptr @__irsan_object_lo(ptr %root, i64 %place, i64 %reach) alwaysinline nounwind {
  %a = ptrtoint ptr %root to i64
  %from = call i64 @__irsan_extent_place(i64 %a, i64 %place)
  %lo.at = getelementptr i8, ptr @extent_records.EXTENTS, i64 %from
  %lo = load i64, ptr %lo.at
  %kept.at = getelementptr i8, ptr %lo.at, i64 16
  %kept = load i64, ptr %kept.at
  %offset = sub i64 %a, %lo
  %inside = icmp ult i64 %offset, %kept
  br i1 %inside, label %known, label %slow, !prof !0
known:
  %granule = lshr i64 %a, 3
  %at = add i64 %granule, ptrtoint (ptr @memory_map.SHADOW_OFFSET to i64)
  %shadow = inttoptr i64 %at to ptr
  %value = load i8, ptr %shadow
  %alive = icmp eq i8 %value, 0
  br i1 %alive, label %done, label %slow, !prof !0
slow:
  call preserve_mostcc void @__irsan_slow_extent(i64 %a, i64 %from, i64 %reach)
  br label %done
done:
  %said = load ptr, ptr %lo.at
  ret ptr %said
}

define i64 @__irsan_object_length(ptr %root, i64 %place) alwaysinline nounwind {
  %a = ptrtoint ptr %root to i64
  %from = call i64 @__irsan_extent_place(i64 %a, i64 %place)
  %at = getelementptr i8, ptr @extent_records.EXTENTS, i64 %from
  %length.at = getelementptr i8, ptr %at, i64 8
  %n = load i64, ptr %length.at
  ret i64 %n
}

define void @__irsan_bounds_asked(
    ptr %p, ptr %root, i64 %place, i64 %reach, i64 %info, i32 %site) alwaysinline nounwind {
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %root to i64
  %from = call i64 @__irsan_extent_place(i64 %b, i64 %place)
  %lo.at = getelementptr i8, ptr @extent_records.EXTENTS, i64 %from
  %lo = load i64, ptr %lo.at
  %kept.at = getelementptr i8, ptr %lo.at, i64 16
  %kept = load i64, ptr %kept.at
  %start = sub i64 %b, %lo
  %offset = sub i64 %a, %lo
  %farther = call i64 @llvm.umax.i64(i64 %start, i64 %offset)
  %inside = icmp ult i64 %farther, %kept
  br i1 %inside, label %done, label %slow, !prof !0
slow:
  call preserve_mostcc void @__irsan_slow_asked(
      i64 %a, i64 %b, i64 %from, i64 %reach, i64 %info, i32 %site)
  br label %done
done:
  ret void
}

@memory_map.SHADOW_OFFSET = external global i8
@extent_records.EXTENTS = external global i8
@extent_records.N_OWN = external global i8
@extent_records.N_SHARED = external global i8
@extent_records.PLACE_BYTES = external global i8

declare preserve_mostcc void @__irsan_slow_extent(i64, i64, i64) cold

declare preserve_mostcc void @__irsan_slow_asked(i64, i64, i64, i64, i64, i32) cold

declare preserve_mostcc void @__irsan_slow_kept(i64, i64, i64, i64) cold

declare preserve_mostcc void @__irsan_slow_near(i64, i64, i64, i32) cold

declare preserve_mostcc void @__irsan_slow_range(i64, i64, i64, i64, i64, i32) cold

declare preserve_mostcc void @__irsan_slow_bounds(i64, i64, i64, i64, i32) cold

!0 = !{!"branch_weights", i32 100000, i32 1}
