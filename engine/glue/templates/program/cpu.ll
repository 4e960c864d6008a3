; Variables that say what the processor can do, and the instructions that ask it.
;
;   __cpu_model, __cpu_features2     in the runtime's object, as programs address them directly
;   __cpu_indicator_init             natively fills them; `engine/guest/cpu_model.py` has done so
;   irsan_cpuid(leaf, sub, out)      EAX, EBX, ECX, EDX;  irsan_xcr0(): what the system keeps

@__interceptor___cpu_model = global [4 x i32] zeroinitializer, align 16

@__interceptor___cpu_features2 = global [8 x i32] zeroinitializer, align 16

define i32 @__interceptor___cpu_indicator_init() nounwind {
  ret i32 0
}

define void @irsan_cpuid(i32 %leaf, i32 %sub, ptr %out) nounwind {
  %r = call { i32, i32, i32, i32 } asm "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx}"(i32 %leaf,
      i32 %sub)
  store { i32, i32, i32, i32 } %r, ptr %out
  ret void
}

define i32 @irsan_xcr0() nounwind {
  %r = call { i32, i32 } asm "xgetbv", "={ax},={dx},{cx}"(i32 0)
  %low = extractvalue { i32, i32 } %r, 0
  ret i32 %low
}
