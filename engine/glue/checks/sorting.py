"""Glue for qsort and bsearch: what comparators get and give while uninitialised bits are followed.

    irsan_sort(array, n, size, compare)
        places = begin_sorting(array, n, size)       0: the host's qsort does it all
        qsort_r(places, n, 8, by way of the pointers, { compare, ... })
        end_sorting(places, array, n, size)

    irsan_search(key, array, n, size, compare)
        bsearch({ compare, key, ... }, array, n, size, by way of the key)

    compare gives a result with undefined bits   ->  a use, at the call of qsort or bsearch

Results that the language promises to be set were checked where the comparator returns.
"""

from __future__ import annotations

from irsan.engine.glue.text import UNLIKELY, context_field
from irsan.runtime.layout import uninit_layout as ul

_ARRAY = "ptr %array, i64 %n, i64 %size, ptr %compare"

# The end of a comparator: a %result of %compare for %order.
_RESULT_USED = f"""\
  %whose = load ptr, ptr inttoptr (i64 {ul.RESULT_OF} to ptr)
  %is.own = icmp eq ptr %whose, %compare
  %bits = load i32, ptr inttoptr (i64 {ul.RESULT} to ptr)
  %has.bits = icmp ne i32 %bits, 0
  %unset = and i1 %is.own, %has.bits
  br i1 %unset, label %told, label %set, !prof {UNLIKELY}
told:
  %site.place = getelementptr %irsan.order, ptr %order, i64 0, i32 2
  %site = load i32, ptr %site.place
  call void @irsan_unset_order(i32 %site)
  br label %set
set:
  ret i32 %result"""


def sorting_glue() -> str:
    """LLVM text of irsan_sort, irsan_sort_with, irsan_search and what they compare by."""
    return "\n".join(
        [
            "%irsan.order = type { ptr, ptr, i32 }",
            "declare extern_weak void @__irsan_real_qsort(ptr, i64, i64, ptr)",
            "declare extern_weak void @__irsan_real_qsort_r(ptr, i64, i64, ptr, ptr)",
            _sort("irsan_sort", "", "", "null"),
            _sort("irsan_sort_with", "_r", ", ptr %data", "%data"),
            "declare extern_weak ptr @__irsan_real_bsearch(ptr, ptr, i64, i64, ptr)",
            _search(),
            _compare_key(),
            _compare("irsan_compare_places", ""),
            _compare("irsan_compare_places_r", ", ptr %data"),
            _check_result(),
        ]
    )


def _sort(name: str, suffix: str, more: str, data: str) -> str:
    return f"""
define void @{name}({_ARRAY}{more}) uwtable {{
  %order = alloca %irsan.order, align 8
  %base = ptrtoint ptr %array to i64
  %places = call i64 @k.begin_sorting(i64 %base, i64 %n, i64 %size)
  %plain = icmp eq i64 %places, 0
  br i1 %plain, label %real, label %follow
real:
  call void @__irsan_real_qsort{suffix}({_ARRAY}{more})
  ret void
follow:
  %site = load i32, {context_field("site")}
  %data.place = getelementptr %irsan.order, ptr %order, i64 0, i32 1
  %site.place = getelementptr %irsan.order, ptr %order, i64 0, i32 2
  store ptr %compare, ptr %order
  store ptr {data}, ptr %data.place
  store i32 %site, ptr %site.place
  %list = inttoptr i64 %places to ptr
  call void @__irsan_real_qsort_r(ptr %list, i64 %n, i64 8, ptr @irsan_compare_places{suffix},
    ptr %order)
  call void @k.end_sorting(i64 %places, i64 %base, i64 %n, i64 %size)
  ret void
}}"""


def _search() -> str:
    return f"""
define ptr @irsan_search(ptr %key, {_ARRAY}) uwtable {{
  %order = alloca %irsan.order, align 8
  %site = load i32, {context_field("site")}
  %key.place = getelementptr %irsan.order, ptr %order, i64 0, i32 1
  %site.place = getelementptr %irsan.order, ptr %order, i64 0, i32 2
  store ptr %compare, ptr %order
  store ptr %key, ptr %key.place
  store i32 %site, ptr %site.place
  %found = call ptr @__irsan_real_bsearch(ptr %order, ptr %array, i64 %n, i64 %size,
    ptr @irsan_compare_key)
  ret ptr %found
}}"""


def _compare_key() -> str:
    return f"""
define i32 @irsan_compare_key(ptr %order, ptr %item) uwtable {{
  %key.place = getelementptr %irsan.order, ptr %order, i64 0, i32 1
  %key = load ptr, ptr %key.place
  %compare = load ptr, ptr %order
  %result = call i32 %compare(ptr %key, ptr %item)
{_RESULT_USED}
}}"""


def _compare(name: str, more: str) -> str:
    data = """
  %data.place = getelementptr %irsan.order, ptr %order, i64 0, i32 1
  %data = load ptr, ptr %data.place""" if more else ""
    return f"""
define i32 @{name}(ptr %a, ptr %b, ptr %order) uwtable {{
  %first = load ptr, ptr %a
  %second = load ptr, ptr %b{data}
  %compare = load ptr, ptr %order
  %result = call i32 %compare(ptr %first, ptr %second{more})
{_RESULT_USED}
}}"""


def _check_result() -> str:
    return f"""
define void @irsan_unset_order(i32 %site) noinline cold {{
  %place = load ptr, ptr inttoptr (i64 {ul.RESULT_ORIGIN} to ptr)
  call preserve_mostcc void @__irsan_uninit_use(ptr %place, i64 4, i32 %site)
  store ptr null, ptr inttoptr (i64 {ul.RESULT_OF} to ptr)
  ret void
}}"""
