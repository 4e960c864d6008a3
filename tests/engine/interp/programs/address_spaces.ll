; Pointers of other address spaces: plain ones, and those that a segment register is added to.
@form = private constant [6 x i8] c"%llx\0A\00"
@far = addrspace(1) global [3 x i64] [i64 5, i64 6, i64 7]
declare i32 @printf(ptr, ...)

define void @say(i64 %value) {
  %n = call i32 (ptr, ...) @printf(ptr @form, i64 %value)
  ret void
}

define void @plain(i64 %i) {
  %a = getelementptr [3 x i64], ptr addrspace(1) @far, i64 0, i64 %i
  %v = load i64, ptr addrspace(1) %a
  call void @say(i64 %v)
  %c = addrspacecast ptr addrspace(1) %a to ptr
  store i64 9, ptr %c
  %w = load volatile i64, ptr addrspace(1) %a
  store i64 %v, ptr addrspace(1) %a
  call void @say(i64 %w)
  %x = load i64, ptr %c
  call void @say(i64 %x)
  ret void
}

; The thread's block begins with its own address, and has it again at 16.
define void @segments(i64 %i) {
  %own = load i64, ptr addrspace(257) null
  %flat = inttoptr i64 %own to ptr
  %same = load i64, ptr %flat
  %a = getelementptr i8, ptr addrspace(257) null, i64 %i
  %again = load i64, ptr addrspace(257) %a
  store i64 %again, ptr addrspace(257) %a
  %d = sub i64 %own, %same
  %e = sub i64 %own, %again
  call void @say(i64 %d)
  call void @say(i64 %e)
  ret void
}

define i32 @main() {
  call void @plain(i64 0)
  call void @plain(i64 2)
  call void @segments(i64 16)
  ret i32 0
}
