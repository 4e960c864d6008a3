; Pointer provenance that is not inlined: objects, globals, copies, results, and findings.
;
;   __irsan_prov_stack(p, n, site)    a variable is born; _end(id), _begin(id), _popped(lo, hi)
;   __irsan_prov_thread_variable      a thread's copy becomes an object when its address is taken,
;                                     and has the pointers of the variable's initial value
;   __irsan_prov_copy(p, q, n)        memory is copied, with the ids of the pointers in it
;   __irsan_prov_take_copy            an argument that is a copy has those of what the caller named,
;                                     and none if that is not known: no memory has an address of -8
;   __irsan_prov_result(f, v)         the id of what a call of f has returned; of code that says
;                                     nothing, the block that begins there
;
; Most are a call of the kernel with addresses for pointers.

define preserve_mostcc void @__irsan_slow_provenance(i64 %a, i64 %id, i64 %info, i32 %site)
    noinline cold nounwind {
  %before = load i32, ptr @ctx.site
  store i32 %site, ptr @ctx.site
  call void @k.provenance_use(i64 %a, i64 %id, i64 %info)
  call void @__irsan_act_if_asked()
  store i32 %before, ptr @ctx.site
  ret void
}

define void @__irsan_bounds_of_range(ptr %p, i64 %id, i64 %n, i64 %info, i32 %site) nounwind {
  %a = ptrtoint ptr %p to i64
  %before = load i32, ptr @ctx.site
  store i32 %site, ptr @ctx.site
  call void @k.provenance_range(i64 %a, i64 %id, i64 %n, i64 %info)
  call void @__irsan_act_if_asked()
  store i32 %before, ptr @ctx.site
  ret void
}

define i64 @__irsan_prov_stack(ptr %p, i64 %n, i32 %site) nounwind {
  %a = ptrtoint ptr %p to i64
  %r = call i64 @k.provenance_stack(i64 %a, i64 %n, i32 %site)
  ret i64 %r
}

define void @__irsan_prov_begin(i64 %id) nounwind {
  call void @k.provenance_begin(i64 %id)
  ret void
}

define void @__irsan_prov_end(i64 %id) nounwind {
  call void @k.provenance_end(i64 %id)
  ret void
}

define void @__irsan_prov_popped(ptr %p, ptr %q) nounwind {
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %q to i64
  call void @k.provenance_popped(i64 %a, i64 %b)
  ret void
}

define void @__irsan_prov_expose_slow(i64 %id) nounwind {
  call void @k.provenance_expose(i64 %id)
  ret void
}

define i64 @__irsan_prov_from_int(i64 %a) nounwind {
  %r = call i64 @k.provenance_from_int(i64 %a)
  ret i64 %r
}

define void @__irsan_prov_wipe_range(ptr %p, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  call void @k.slots_wipe(i64 %a, i64 %n)
  ret void
}

define void @__irsan_prov_show_range(ptr %p, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  call void @k.provenance_show(i64 %a, i64 %n)
  ret void
}

define void @__irsan_prov_expose_pointer(ptr %p, i64 %id) nounwind {
  %a = ptrtoint ptr %p to i64
  call void @k.provenance_expose_pointer(i64 %a, i64 %id)
  ret void
}

define i64 @__irsan_prov_sorting(ptr %p, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  %r = call i64 @k.provenance_sorting(i64 %a, i64 %n)
  ret i64 %r
}

define void @__irsan_prov_sorted(i64 %note, ptr %p, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  call void @k.provenance_sorted(i64 %note, i64 %a, i64 %n)
  ret void
}

define void @__irsan_prov_called(ptr %f, ptr %p, i64 %id) nounwind {
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %f to i64
  call void @k.provenance_called(i64 %b, i64 %a, i64 %id)
  ret void
}

define void @__irsan_prov_functions(ptr %p, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  call void @k.provenance_functions(i64 %a, i64 %n)
  ret void
}

define void @__irsan_prov_vectors(ptr %p, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  call void @k.provenance_vectors(i64 %a, i64 %n)
  ret void
}

define void @__irsan_prov_messages(ptr %p, i64 %n, i64 %stride) nounwind {
  %a = ptrtoint ptr %p to i64
  call void @k.provenance_messages(i64 %a, i64 %n, i64 %stride)
  ret void
}

define i64 @__irsan_prov_take_variadic(ptr %p, ptr %self, i64 %named) nounwind {
  %a = ptrtoint ptr %p to i64
  %f = ptrtoint ptr %self to i64
  %r = call i64 @k.provenance_variadic(i64 %a, i64 %f, i64 %named)
  ret i64 %r
}

define void @__irsan_prov_forward_variadic(ptr %p, ptr %f, i64 %named, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %f to i64
  call void @k.provenance_forward(i64 %a, i64 %b, i64 %named, i64 %n)
  ret void
}

define void @__irsan_prov_refresh(ptr %p) nounwind {
  %a = ptrtoint ptr %p to i64
  call void @k.provenance_refresh(i64 %a)
  ret void
}

define void @__irsan_prov_global(ptr %p, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  call void @k.provenance_global(i64 %a, i64 %n)
  ret void
}

define void @__irsan_prov_weak(ptr %p, ptr %own, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  %is.chosen = icmp eq ptr %p, %own
  br i1 %is.chosen, label %tell, label %done
tell:
  call void @k.provenance_global(i64 %a, i64 %n)
  br label %done
done:
  ret void
}

define void @__irsan_prov_common(ptr %p, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  call void @k.provenance_common(i64 %a, i64 %n)
  ret void
}

define void @__irsan_prov_initial(ptr %p, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  call void @k.provenance_initial(i64 %a, i64 %n)
  ret void
}

define i64 @__irsan_prov_thread_variable(ptr %p, ptr %image, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  %known = call i64 @k.provenance_beginning(i64 %a)
  %is.new = icmp eq i64 %known, 0
  br i1 %is.new, label %new, label %old
new:
  call void @k.provenance_global(i64 %a, i64 %n)
  %b = ptrtoint ptr %image to i64
  call void @k.slots_copy(i64 %a, i64 %b, i64 %n)
  %made = call i64 @k.provenance_beginning(i64 %a)
  ret i64 %made
old:
  ret i64 %known
}

define void @__irsan_prov_copy(ptr %p, ptr %q, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %q to i64
  call void @k.slots_copy(i64 %a, i64 %b, i64 %n)
  ret void
}

define void @__irsan_prov_take_copy(i64 %n, ptr %p, ptr %self, i64 %size) nounwind {
  %twice = shl i64 %n, 4
  %where = add i64 %twice, ptrtoint (ptr @provenance_records.PASSED to i64)
  %slot = inttoptr i64 %where to ptr
  %behind = getelementptr i8, ptr %slot, i64 8
  %meant = load ptr, ptr @provenance_records.ARGUMENTS_FOR
  %mine = icmp eq ptr %meant, %self
  %named = load i64, ptr %slot
  %source = select i1 %mine, i64 %named, i64 -8
  %a = ptrtoint ptr %p to i64
  call void @k.slots_copy(i64 %a, i64 %source, i64 %size)
  ret void
}

define i64 @__irsan_prov_result(ptr %f, ptr %v) nounwind {
  %whose = load ptr, ptr @provenance_records.RESULT_OF
  store ptr null, ptr @provenance_records.RESULT_OF
  %told = icmp eq ptr %whose, %f
  br i1 %told, label %own, label %foreign
own:
  %known = load ptr, ptr @provenance_records.RESULT
  %id = load i64, ptr @provenance_records.RESULT_ID
  %same = icmp eq ptr %known, %v
  %r = select i1 %same, i64 %id, i64 0
  ret i64 %r
foreign:
  %a = ptrtoint ptr %v to i64
  %found = call i64 @k.provenance_beginning(i64 %a)
  ret i64 %found
}

@ctx.site = external global i8
@provenance_records.ARGUMENTS_FOR = external global i8
@provenance_records.PASSED = external global i8
@provenance_records.RESULT = external global i8
@provenance_records.RESULT_ID = external global i8
@provenance_records.RESULT_OF = external global i8

declare void @k.provenance_begin(i64)
declare i64 @k.provenance_beginning(i64)
declare void @k.provenance_called(i64, i64, i64)
declare void @k.provenance_common(i64, i64)
declare void @k.provenance_end(i64)
declare void @k.provenance_expose(i64)
declare void @k.provenance_expose_pointer(i64, i64)
declare void @k.provenance_forward(i64, i64, i64, i64)
declare i64 @k.provenance_from_int(i64)
declare void @k.provenance_functions(i64, i64)
declare void @k.provenance_global(i64, i64)
declare void @k.provenance_initial(i64, i64)
declare void @k.provenance_messages(i64, i64, i64)
declare void @k.provenance_popped(i64, i64)
declare void @k.provenance_range(i64, i64, i64, i64)
declare void @k.provenance_refresh(i64)
declare void @k.provenance_show(i64, i64)
declare void @k.provenance_sorted(i64, i64, i64)
declare i64 @k.provenance_sorting(i64, i64)
declare i64 @k.provenance_stack(i64, i64, i32)
declare void @k.provenance_use(i64, i64, i64)
declare i64 @k.provenance_variadic(i64, i64, i64)
declare void @k.provenance_vectors(i64, i64)
declare void @k.slots_copy(i64, i64, i64)
declare void @k.slots_wipe(i64, i64)
declare void @__irsan_act_if_asked()
