; REFUSED: may return twice in main
declare i32 @setjmp(ptr) returns_twice
declare i32 @__gxx_personality_v0(...)
@b = global [25 x i64] zeroinitializer
define i32 @main() personality ptr @__gxx_personality_v0 {
 %v = invoke i32 @setjmp(ptr @b) returns_twice to label %a unwind label %p
a:
 ret i32 0
p:
 %l = landingpad {ptr, i32} cleanup
 resume {ptr, i32} %l
}
