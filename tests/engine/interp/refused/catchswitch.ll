; REFUSED: catchswitch in main
declare i32 @__CxxFrameHandler3(...)
declare void @g()
define i32 @main() personality ptr @__CxxFrameHandler3 {
 invoke void @g() to label %a unwind label %s
s:
 %c = catchswitch within none [label %h] unwind to caller
h:
 %p = catchpad within %c [ptr null, i32 64, ptr null]
 catchret from %p to label %a
a:
 ret i32 0
}
