; Variables of the sanitizers' run-times that instrumented code reads.
;
;   __asan_option_detect_stack_use_after_return   1: ask for a fake frame; the answer may be 0
;   __asan_shadow_memory_dynamic_address          shadow = (address >> 3) + this, in the arena
;   __ubsan_vptr_type_cache                       hashes of vptr and type that are known to be right

@__asan_option_detect_stack_use_after_return = global i32 1

@__asan_shadow_memory_dynamic_address = global i64 ptrtoint (ptr @memory_map.SHADOW_OFFSET to i64)
@__ubsan_vptr_type_cache = global [128 x i64] zeroinitializer

@memory_map.SHADOW_OFFSET = external global i8
