; Pointer provenance: ids from and to memory and calls, and the comparison at accesses.
;
;   __irsan_prov_load(p, v)           slot of p holds v ?  its id  :  0          no branch
;   __irsan_prov_wipe_part(p)         the slot of p says nothing, unless its pointer begins behind p
;   __irsan_prov_show(p, n)           the slot of p, or one that ends in it, says something ?  the
;                                     kernel looks; a pointer in the 8 bytes before reaches into
;                                     these unless it begins where they do
;   __irsan_bounds_of_id(p, id, info, site)
;                                     id 0, or p inside of the id's row ?  done  :  the kernel asks
;   __irsan_prov_pass(n, v, id)       parameter n of the function that __irsan_prov_call names
;   __irsan_prov_pass_variadic(n, place, v, id)     row n of those for variable arguments
;
; A slot is {pointer ^ place << PLACE_SHIFT, id}, a pair of an argument {pointer, id}.

define i64 @__irsan_prov_load(ptr %p, ptr %v) alwaysinline nounwind {
  %a = ptrtoint ptr %p to i64
  %group = and i64 %a, -8
  %covered = icmp ult i64 %a, ptrtoint (ptr @provenance_records.COVERED_BYTES to i64)
  %twice = shl i64 %group, 1
  %there = add i64 %twice, ptrtoint (ptr @provenance_records.SLOTS to i64)
  %where = select i1 %covered, i64 %there, i64 ptrtoint (ptr @provenance_records.NOWHERE to i64)
  %slot = inttoptr i64 %where to ptr
  %behind = getelementptr i8, ptr %slot, i64 8
  %pointer = ptrtoint ptr %v to i64
  %odd = shl i64 %a, ptrtoint (ptr @provenance_records.PLACE_SHIFT to i64)
  %key = xor i64 %pointer, %odd
  %known = load i64, ptr %slot
  %id = load i64, ptr %behind
  %same = icmp eq i64 %known, %key
  %r = select i1 %same, i64 %id, i64 0
  ret i64 %r
}

define void @__irsan_prov_store(ptr %p, ptr %v, i64 %id) alwaysinline nounwind {
  %a = ptrtoint ptr %p to i64
  %group = and i64 %a, -8
  %covered = icmp ult i64 %a, ptrtoint (ptr @provenance_records.COVERED_BYTES to i64)
  %twice = shl i64 %group, 1
  %there = add i64 %twice, ptrtoint (ptr @provenance_records.SLOTS to i64)
  %where = select i1 %covered, i64 %there, i64 ptrtoint (ptr @provenance_records.ANYWHERE to i64)
  %slot = inttoptr i64 %where to ptr
  %behind = getelementptr i8, ptr %slot, i64 8
  %pointer = ptrtoint ptr %v to i64
  %odd = shl i64 %a, ptrtoint (ptr @provenance_records.PLACE_SHIFT to i64)
  %key = xor i64 %pointer, %odd
  store i64 %key, ptr %slot
  store i64 %id, ptr %behind
  ret void
}

define void @__irsan_prov_wipe(ptr %p) alwaysinline nounwind {
  %a = ptrtoint ptr %p to i64
  %group = and i64 %a, -8
  %covered = icmp ult i64 %a, ptrtoint (ptr @provenance_records.COVERED_BYTES to i64)
  %twice = shl i64 %group, 1
  %there = add i64 %twice, ptrtoint (ptr @provenance_records.SLOTS to i64)
  %where = select i1 %covered, i64 %there, i64 ptrtoint (ptr @provenance_records.ANYWHERE to i64)
  %slot = inttoptr i64 %where to ptr
  %behind = getelementptr i8, ptr %slot, i64 8
  store ptr null, ptr %slot
  ret void
}

define void @__irsan_prov_wipe_part(ptr %p) alwaysinline nounwind {
  %a = ptrtoint ptr %p to i64
  %group = and i64 %a, -8
  %covered = icmp ult i64 %a, ptrtoint (ptr @provenance_records.COVERED_BYTES to i64)
  %twice = shl i64 %group, 1
  %there = add i64 %twice, ptrtoint (ptr @provenance_records.SLOTS to i64)
  %where = select i1 %covered, i64 %there, i64 ptrtoint (ptr @provenance_records.ANYWHERE to i64)
  %slot = inttoptr i64 %where to ptr
  %behind = getelementptr i8, ptr %slot, i64 8
  %known = load i64, ptr %slot
  %begins = lshr i64 %known, ptrtoint (ptr @provenance_records.PLACE_SHIFT to i64)
  %here = and i64 %a, 7
  %is.later = icmp ugt i64 %begins, %here
  %left = select i1 %is.later, i64 %known, i64 0
  store i64 %left, ptr %slot
  ret void
}

define void @__irsan_prov_pass(i64 %n, ptr %v, i64 %id) alwaysinline nounwind {
  %twice = shl i64 %n, 4
  %where = add i64 %twice, ptrtoint (ptr @provenance_records.PASSED to i64)
  %slot = inttoptr i64 %where to ptr
  %behind = getelementptr i8, ptr %slot, i64 8
  store ptr %v, ptr %slot
  store i64 %id, ptr %behind
  ret void
}

define void @__irsan_prov_call(ptr %f) alwaysinline nounwind {
  store ptr %f, ptr @provenance_records.ARGUMENTS_FOR
  ret void
}

define void @__irsan_prov_pass_variadic(i64 %n, i64 %place, ptr %v, i64 %id) alwaysinline nounwind {
  %far = mul i64 %n, ptrtoint (ptr @provenance_records.VARIADIC_ROW_BYTES to i64)
  %where = add i64 %far, ptrtoint (ptr @provenance_records.VARIADIC to i64)
  %row = inttoptr i64 %where to ptr
  %pointer.at = getelementptr i8, ptr %row, i64 8
  %id.at = getelementptr i8, ptr %row, i64 16
  store i64 %place, ptr %row
  store ptr %v, ptr %pointer.at
  store i64 %id, ptr %id.at
  ret void
}

define void @__irsan_prov_call_variadic(ptr %f, i64 %rows, i64 %n) alwaysinline nounwind {
  store ptr %f, ptr @provenance_records.VARIADIC_FOR
  store i64 %rows, ptr @provenance_records.N_VARIADIC
  store i64 %n, ptr @provenance_records.VARIADIC_BYTES
  ret void
}

define i64 @__irsan_prov_take(i64 %n, ptr %v, ptr %self) alwaysinline nounwind {
  %twice = shl i64 %n, 4
  %where = add i64 %twice, ptrtoint (ptr @provenance_records.PASSED to i64)
  %slot = inttoptr i64 %where to ptr
  %behind = getelementptr i8, ptr %slot, i64 8
  %known = load ptr, ptr %slot
  %id = load i64, ptr %behind
  %same = icmp eq ptr %known, %v
  %r = select i1 %same, i64 %id, i64 0
  %meant = load ptr, ptr @provenance_records.ARGUMENTS_FOR
  %mine = icmp eq ptr %meant, %self
  %taken = select i1 %mine, i64 %r, i64 0
  ret i64 %taken
}

define void @__irsan_prov_taken() alwaysinline nounwind {
  store ptr null, ptr @provenance_records.ARGUMENTS_FOR
  ret void
}

define void @__irsan_prov_return(ptr %self, ptr %v, i64 %id) alwaysinline nounwind {
  store ptr %self, ptr @provenance_records.RESULT_OF
  store ptr %v, ptr @provenance_records.RESULT
  store i64 %id, ptr @provenance_records.RESULT_ID
  ret void
}

define i64 @__irsan_prov_of_global(ptr %p) alwaysinline nounwind {
  %a = ptrtoint ptr %p to i64
  %group = and i64 %a, -8
  %low = icmp ult i64 %a, ptrtoint (ptr @provenance_records.COVERED_BYTES to i64)
  %there = add i64 %group, ptrtoint (ptr @provenance_records.OWNERS to i64)
  %at = select i1 %low, i64 %there, i64 ptrtoint (ptr @provenance_records.NOWHERE to i64)
  %owner = inttoptr i64 %at to ptr
  %id = load i64, ptr %owner
  %index = and i64 %id, ptrtoint (ptr @constants.ROW_INDEX to i64)
  %far = mul i64 %index, ptrtoint (ptr @provenance_records.ROW_BYTES to i64)
  %where = add i64 %far, ptrtoint (ptr @provenance_records.OBJECTS to i64)
  %row = inttoptr i64 %where to ptr
  %own = load i64, ptr %row
  %lo.at = getelementptr i8, ptr %row, i64 ptrtoint (ptr @provenance_records.ROW_LO to i64)
  %lo = load i64, ptr %lo.at
  %begins = icmp eq i64 %lo, %a
  %r = select i1 %begins, i64 %id, i64 0
  ret i64 %r
}

define void @__irsan_prov_show(ptr %p, i64 %n) alwaysinline nounwind {
  %a = ptrtoint ptr %p to i64
  %group = and i64 %a, -8
  %covered = icmp ult i64 %a, ptrtoint (ptr @provenance_records.COVERED_BYTES to i64)
  %twice = shl i64 %group, 1
  %there = add i64 %twice, ptrtoint (ptr @provenance_records.SLOTS to i64)
  %where = select i1 %covered, i64 %there, i64 ptrtoint (ptr @provenance_records.NOWHERE to i64)
  %slot = inttoptr i64 %where to ptr
  %behind = getelementptr i8, ptr %slot, i64 8
  %before.at = getelementptr i8, ptr %slot, i64 ptrtoint (ptr @constants.SLOT_BEFORE to i64)
  %known = load i64, ptr %slot
  %before = load i64, ptr %before.at
  %begins = lshr i64 %before, ptrtoint (ptr @provenance_records.PLACE_SHIFT to i64)
  %either = or i64 %known, %begins
  %none = icmp eq i64 %either, 0
  br i1 %none, label %done, label %look, !prof !0
look:
  call void @__irsan_prov_show_range(ptr %p, i64 %n)
  br label %done
done:
  ret void
}

define void @__irsan_prov_expose(i64 %id) alwaysinline nounwind {
  %none = icmp ule i64 %id, ptrtoint (ptr @provenance_records.UNEXPOSED to i64)
  br i1 %none, label %done, label %tell, !prof !0
tell:
  call void @__irsan_prov_expose_slow(i64 %id)
  br label %done
done:
  ret void
}

define void @__irsan_bounds_of_id(ptr %p, i64 %id, i64 %info, i32 %site) alwaysinline nounwind {
  %none = icmp eq i64 %id, 0
  br i1 %none, label %done, label %look
look:
  %a = ptrtoint ptr %p to i64
  %index = and i64 %id, ptrtoint (ptr @constants.ROW_INDEX to i64)
  %far = mul i64 %index, ptrtoint (ptr @provenance_records.ROW_BYTES to i64)
  %where = add i64 %far, ptrtoint (ptr @provenance_records.OBJECTS to i64)
  %row = inttoptr i64 %where to ptr
  %own = load i64, ptr %row
  %lo.at = getelementptr i8, ptr %row, i64 ptrtoint (ptr @provenance_records.ROW_LO to i64)
  %lo = load i64, ptr %lo.at
  %extent.at = getelementptr i8, ptr %row, i64 ptrtoint (ptr @provenance_records.ROW_EXTENT to i64)
  %extent = load i64, ptr %extent.at
  %size = lshr i64 %info, 3
  %offset = sub i64 %a, %lo
  %left = sub i64 %extent, %offset
  %begins = icmp ult i64 %offset, %extent
  %ends = icmp ule i64 %size, %left
  %mine = icmp eq i64 %own, %id
  %inside = and i1 %begins, %ends
  %fine = and i1 %inside, %mine
  br i1 %fine, label %done, label %slow, !prof !0
slow:
  call preserve_mostcc void @__irsan_slow_provenance(i64 %a, i64 %id, i64 %info, i32 %site)
  br label %done
done:
  ret void
}

@constants.ROW_INDEX = external global i8
@constants.SLOT_BEFORE = external global i8
@provenance_records.ANYWHERE = external global i8
@provenance_records.ARGUMENTS_FOR = external global i8
@provenance_records.COVERED_BYTES = external global i8
@provenance_records.NOWHERE = external global i8
@provenance_records.N_VARIADIC = external global i8
@provenance_records.OBJECTS = external global i8
@provenance_records.OWNERS = external global i8
@provenance_records.PASSED = external global i8
@provenance_records.PLACE_SHIFT = external global i8
@provenance_records.RESULT = external global i8
@provenance_records.RESULT_ID = external global i8
@provenance_records.RESULT_OF = external global i8
@provenance_records.ROW_BYTES = external global i8
@provenance_records.ROW_EXTENT = external global i8
@provenance_records.ROW_LO = external global i8
@provenance_records.SLOTS = external global i8
@provenance_records.UNEXPOSED = external global i8
@provenance_records.VARIADIC = external global i8
@provenance_records.VARIADIC_BYTES = external global i8
@provenance_records.VARIADIC_FOR = external global i8
@provenance_records.VARIADIC_ROW_BYTES = external global i8

declare void @__irsan_prov_expose_slow(i64)
declare void @__irsan_prov_show_range(ptr, i64)
declare preserve_mostcc void @__irsan_slow_provenance(i64, i64, i64, i32) cold

!0 = !{!"branch_weights", i32 100000, i32 1}
