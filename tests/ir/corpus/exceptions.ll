; Funclets, landing pads with filters, callbr, resume, unwind to caller.
target triple = "x86_64-pc-windows-msvc"

%struct.desc = type { ptr, ptr, [8 x i8] }
@desc = external constant %struct.desc
@extra = external constant ptr

declare i32 @__CxxFrameHandler3(...)
declare void @may_throw(i32)
declare void @cleanup() nounwind

define void @funclets(i32 %n) personality ptr @__CxxFrameHandler3 {
entry:
  invoke void @may_throw(i32 %n)
          to label %done unwind label %dispatch

dispatch:
  %switch = catchswitch within none [label %handler, label %other] unwind label %finally

handler:
  %pad = catchpad within %switch [ptr @desc, i32 8, ptr null]
  call void @may_throw(i32 1) [ "funclet"(token %pad) ]
  catchret from %pad to label %done

other:
  %pad2 = catchpad within %switch [ptr null, i32 64, ptr null]
  invoke void @may_throw(i32 2) [ "funclet"(token %pad2) ]
          to label %leave unwind label %nested

leave:
  catchret from %pad2 to label %done

nested:
  %inner = cleanuppad within %pad2 []
  call void @cleanup() [ "funclet"(token %inner) ]
  cleanupret from %inner unwind label %finally

finally:
  %clean = cleanuppad within none [i32 7]
  call void @cleanup() [ "funclet"(token %clean) ]
  cleanupret from %clean unwind to caller

done:
  ret void
}

define void @to_caller() personality ptr @__CxxFrameHandler3 {
  invoke void @may_throw(i32 0)
          to label %done unwind label %pad
pad:
  %cs = catchswitch within none [label %h] unwind to caller
h:
  %p = catchpad within %cs [ptr null, i32 64, ptr null]
  catchret from %p to label %done
done:
  ret void
}

declare i32 @__gxx_personality_v0(...)

define i32 @landing(i32 %n) personality ptr @__gxx_personality_v0 {
  %v = invoke fastcc i32 @returns(i32 zeroext %n) nounwind
          to label %ok unwind label %pad
pad:
  %lp = landingpad { ptr, i32 }
          cleanup
          catch ptr @extra
          catch ptr null
          filter [2 x ptr] [ptr @extra, ptr @desc]
          filter [0 x ptr] zeroinitializer
  %bad = icmp eq i32 %n, 3
  br i1 %bad, label %again, label %other
again:
  resume { ptr, i32 } %lp
other:
  resume { ptr, i32 } { ptr null, i32 4 }
ok:
  ret i32 %v
}

declare fastcc i32 @returns(i32)

define i32 @jumps(i32 %x) {
entry:
  %r = callbr i32 asm "test $1, $2; jne ${3:l}", "=r,r,r,!i,!i,~{cc}"(i32 %x, i32 3) #0
          to label %through [label %left, label %right]
through:
  ret i32 %r
left:
  %p = phi i32 [ %r, %entry ]
  ret i32 %p
right:
  unreachable
}

attributes #0 = { nounwind memory(none) "key"="value" "flag" }
