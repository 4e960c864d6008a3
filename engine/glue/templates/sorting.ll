; qsort and bsearch: what comparators get and give while uninitialised bits are followed.
;
;   irsan_sort(array, n, size, compare)
;       places = begin_sorting(array, n, size)       0: the host's qsort does it all
;       qsort_r(places, n, 8, by way of the pointers, { compare, ... })
;       end_sorting(places, array, n, size)
;
;   irsan_search(key, array, n, size, compare)
;       bsearch({ compare, key, ... }, array, n, size, by way of the key)
;
;   compare gives a result with undefined bits   ->  a use, at the call of qsort or bsearch
;
; Results that the language promises to be set were checked where the comparator returns.

%irsan.order = type { ptr, ptr, i32 } ; compare, key or data, site

define void @irsan_sort(ptr %array, i64 %n, i64 %size, ptr %compare) uwtable {
  %order = alloca %irsan.order, align 8
  %base = ptrtoint ptr %array to i64
  %places = call i64 @k.begin_sorting(i64 %base, i64 %n, i64 %size)
  %plain = icmp eq i64 %places, 0
  br i1 %plain, label %real, label %follow
real:
  call void @__irsan_real_qsort(ptr %array, i64 %n, i64 %size, ptr %compare)
  ret void
follow:
  %site = load i32, ptr @ctx.site
  %data.place = getelementptr %irsan.order, ptr %order, i64 0, i32 1
  %site.place = getelementptr %irsan.order, ptr %order, i64 0, i32 2
  store ptr %compare, ptr %order
  store ptr null, ptr %data.place
  store i32 %site, ptr %site.place
  %list = inttoptr i64 %places to ptr
  call void @__irsan_real_qsort_r(ptr %list, i64 %n, i64 8, ptr @irsan_compare_places,
    ptr %order)
  call void @k.end_sorting(i64 %places, i64 %base, i64 %n, i64 %size)
  ret void
}

define void @irsan_sort_with(ptr %array, i64 %n, i64 %size, ptr %compare, ptr %data) uwtable {
  %order = alloca %irsan.order, align 8
  %base = ptrtoint ptr %array to i64
  %places = call i64 @k.begin_sorting(i64 %base, i64 %n, i64 %size)
  %plain = icmp eq i64 %places, 0
  br i1 %plain, label %real, label %follow
real:
  call void @__irsan_real_qsort_r(ptr %array, i64 %n, i64 %size, ptr %compare, ptr %data)
  ret void
follow:
  %site = load i32, ptr @ctx.site
  %data.place = getelementptr %irsan.order, ptr %order, i64 0, i32 1
  %site.place = getelementptr %irsan.order, ptr %order, i64 0, i32 2
  store ptr %compare, ptr %order
  store ptr %data, ptr %data.place
  store i32 %site, ptr %site.place
  %list = inttoptr i64 %places to ptr
  call void @__irsan_real_qsort_r(ptr %list, i64 %n, i64 8, ptr @irsan_compare_places_r,
    ptr %order)
  call void @k.end_sorting(i64 %places, i64 %base, i64 %n, i64 %size)
  ret void
}

define ptr @irsan_search(ptr %key, ptr %array, i64 %n, i64 %size, ptr %compare) uwtable {
  %order = alloca %irsan.order, align 8
  %site = load i32, ptr @ctx.site
  %key.place = getelementptr %irsan.order, ptr %order, i64 0, i32 1
  %site.place = getelementptr %irsan.order, ptr %order, i64 0, i32 2
  store ptr %compare, ptr %order
  store ptr %key, ptr %key.place
  store i32 %site, ptr %site.place
  %found = call ptr @__irsan_real_bsearch(ptr %order, ptr %array, i64 %n, i64 %size,
    ptr @irsan_compare_key)
  ret ptr %found
}

define i32 @irsan_compare_key(ptr %order, ptr %item) uwtable {
  %key.place = getelementptr %irsan.order, ptr %order, i64 0, i32 1
  %key = load ptr, ptr %key.place
  %compare = load ptr, ptr %order
  %result = call i32 %compare(ptr %key, ptr %item)
  call void @irsan_look_at_order(ptr %order, ptr %compare)
  ret i32 %result
}

define i32 @irsan_compare_places(ptr %a, ptr %b, ptr %order) uwtable {
  %first = load ptr, ptr %a
  %second = load ptr, ptr %b
  %compare = load ptr, ptr %order
  %result = call i32 %compare(ptr %first, ptr %second)
  call void @irsan_look_at_order(ptr %order, ptr %compare)
  ret i32 %result
}

define i32 @irsan_compare_places_r(ptr %a, ptr %b, ptr %order) uwtable {
  %first = load ptr, ptr %a
  %second = load ptr, ptr %b
  %data.place = getelementptr %irsan.order, ptr %order, i64 0, i32 1
  %data = load ptr, ptr %data.place
  %compare = load ptr, ptr %order
  %result = call i32 %compare(ptr %first, ptr %second, ptr %data)
  call void @irsan_look_at_order(ptr %order, ptr %compare)
  ret i32 %result
}

define void @irsan_look_at_order(ptr %order, ptr %compare) alwaysinline uwtable {
  %whose = load ptr, ptr @uninit_layout.RESULT_OF
  %is.own = icmp eq ptr %whose, %compare
  %bits = load i32, ptr @uninit_layout.RESULT
  %has.bits = icmp ne i32 %bits, 0
  %unset = and i1 %is.own, %has.bits
  br i1 %unset, label %told, label %set, !prof !1
told:
  %site.place = getelementptr %irsan.order, ptr %order, i64 0, i32 2
  %site = load i32, ptr %site.place
  call void @irsan_unset_order(i32 %site)
  br label %set
set:
  ret void
}

define void @irsan_unset_order(i32 %site) noinline cold {
  %place = load ptr, ptr @uninit_layout.RESULT_ORIGIN
  call preserve_mostcc void @__irsan_uninit_use(ptr %place, i64 4, i32 %site)
  store ptr null, ptr @uninit_layout.RESULT_OF
  ret void
}

@ctx.site = external global i8
@uninit_layout.RESULT = external global i8
@uninit_layout.RESULT_OF = external global i8
@uninit_layout.RESULT_ORIGIN = external global i8

declare i64 @k.begin_sorting(i64, i64, i64)
declare void @k.end_sorting(i64, i64, i64, i64)
declare extern_weak ptr @__irsan_real_bsearch(ptr, ptr, i64, i64, ptr)
declare extern_weak void @__irsan_real_qsort(ptr, i64, i64, ptr)
declare extern_weak void @__irsan_real_qsort_r(ptr, i64, i64, ptr, ptr)
declare preserve_mostcc void @__irsan_uninit_use(ptr, i64, i32)

!1 = !{!"branch_weights", i32 1, i32 100000}
