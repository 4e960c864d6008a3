; Every instruction with every flag.
target datalayout = "e-p:64:64-p1:32:32-A5"

declare void @use(...)
declare float @llvm.sqrt.f32(float)
declare token @llvm.experimental.convergence.entry() convergent
declare void @llvm.assume(i1)

define i32 @integers(i32 %a, i32 %b, i64 %l) {
  %1 = add nuw i32 %a, %b
  %2 = sub nsw i32 %1, %b
  %3 = mul nuw nsw i32 %2, 3
  %4 = udiv exact i32 %3, %a
  %5 = sdiv i32 %4, 7
  %6 = urem i32 %5, %a
  %7 = srem i32 %6, %a
  %8 = shl nuw nsw i32 %7, 1
  %9 = lshr exact i32 %8, 1
  %10 = ashr i32 %9, 2
  %11 = and i32 %10, 255
  %12 = or disjoint i32 %11, 256
  %13 = xor i32 %12, -1
  %14 = trunc nuw nsw i64 %l to i32
  %15 = zext nneg i32 %14 to i64
  %16 = sext i32 %14 to i64
  %17 = uitofp nneg i64 %15 to double
  %18 = sitofp i64 %16 to float
  %19 = fptoui double %17 to i32
  %20 = fptosi float %18 to i32
  %21 = icmp samesign ult i32 %19, %20
  %22 = icmp sge i32 %19, %13
  %23 = select i1 %21, i32 %19, i32 %20
  %24 = freeze i32 %23
  call void (...) @use(i1 %22, i32 %24, double %17)
  ret i32 %24
}

define double @floats(double %a, float %f, half %h, <2 x double> %v) {
  %1 = fadd fast double %a, 1.0
  %2 = fsub reassoc nnan ninf nsz arcp contract afn double %1, %a
  %3 = fmul nnan nsz double %2, %a
  %4 = fdiv arcp double %3, %a
  %5 = frem contract double %4, %a
  %6 = fneg afn double %5
  %7 = fcmp ninf oeq double %6, %a
  %8 = fcmp false double %6, %a
  %9 = fcmp ueq double %6, %a
  %10 = fcmp true double %6, %a
  %11 = fptrunc nnan double %6 to float
  %12 = fpext half %h to double
  %13 = call nnan nsz float @llvm.sqrt.f32(float %11)
  %14 = select fast i1 %7, double %6, double %12
  br i1 %8, label %x, label %y
x:
  br label %y
y:
  %15 = phi ninf double [ %14, %0 ], [ %12, %x ]
  %16 = fmul <2 x double> %v, splat (double 2.0)
  %17 = fcmp ord <2 x double> %16, %v
  call void (...) @use(i1 %9, i1 %10, <2 x i1> %17, float %13)
  ret double %15
}

define void @memory(ptr %p, ptr addrspace(1) %q, i64 %n) {
  %1 = alloca i32, align 4, addrspace(5)
  %2 = alloca [4 x i8], i64 %n, align 16, addrspace(5)
  %3 = alloca i32, i32 5, align 8, addrspace(5)
  %4 = alloca ptr, align 8, addrspace(5)
  %5 = load i32, ptr %p
  %6 = load volatile i8, ptr addrspace(1) %q, align 1
  %7 = load atomic i32, ptr %p unordered, align 4
  %8 = load atomic volatile i32, ptr %p syncscope("singlethread") acquire, align 4
  %9 = load atomic i64, ptr %p syncscope("agent") monotonic, align 8
  store i32 %5, ptr %p, align 2
  store volatile i8 %6, ptr addrspace(1) %q, align 1
  store atomic i32 %7, ptr %p release, align 4
  store atomic volatile i32 %8, ptr %p syncscope("workgroup") seq_cst, align 4
  fence acquire
  fence syncscope("singlethread") seq_cst
  fence syncscope("one-as") acq_rel
  %10 = cmpxchg ptr %p, i32 %5, i32 %7 acq_rel monotonic, align 4
  %11 = cmpxchg weak volatile ptr %p, i64 %9, i64 %n syncscope("agent") seq_cst acquire, align 8
  %12 = cmpxchg ptr %p, ptr null, ptr %p release monotonic
  %13 = extractvalue { i32, i1 } %10, 1
  %14 = atomicrmw xchg ptr %p, i32 1 monotonic, align 4
  %15 = atomicrmw volatile add ptr %p, i32 1 acquire, align 4
  %16 = atomicrmw sub ptr %p, i32 1 syncscope("singlethread") release, align 4
  %17 = atomicrmw and ptr %p, i32 1 acq_rel, align 4
  %18 = atomicrmw nand ptr %p, i32 1 seq_cst, align 4
  %19 = atomicrmw or ptr %p, i32 1 seq_cst, align 4
  %20 = atomicrmw xor ptr %p, i32 1 seq_cst, align 4
  %21 = atomicrmw max ptr %p, i32 1 seq_cst, align 4
  %22 = atomicrmw min ptr %p, i32 1 seq_cst, align 4
  %23 = atomicrmw umax ptr %p, i32 1 seq_cst, align 4
  %24 = atomicrmw umin ptr %p, i32 1 seq_cst, align 4
  %25 = atomicrmw fadd ptr %p, float 1.0 seq_cst, align 4
  %26 = atomicrmw fsub ptr %p, float 1.0 seq_cst, align 4
  %27 = atomicrmw fmax ptr %p, float 1.0 seq_cst, align 4
  %28 = atomicrmw fmin ptr %p, float 1.0 seq_cst, align 4
  %29 = atomicrmw uinc_wrap ptr %p, i32 1 seq_cst, align 4
  %30 = atomicrmw udec_wrap ptr %p, i32 1 seq_cst, align 4
  %31 = atomicrmw usub_cond ptr %p, i32 1 seq_cst, align 4
  %32 = atomicrmw usub_sat ptr %p, i32 1 seq_cst, align 4
  %33 = atomicrmw fmaximum ptr %p, float 1.0 seq_cst, align 4
  %34 = atomicrmw fminimum ptr %p, float 1.0 seq_cst, align 4
  %35 = atomicrmw xchg ptr %p, ptr null seq_cst, align 8
  %36 = atomicrmw fadd ptr %p, <2 x half> zeroinitializer seq_cst, align 4
  ret void
}

define ptr @addresses(ptr %p, <2 x ptr> %v, i64 %i, <2 x i64> %w, ptr addrspace(1) %q) {
  %1 = getelementptr i8, ptr %p, i64 %i
  %2 = getelementptr inbounds { i32, [4 x i64] }, ptr %1, i64 %i, i32 1, i64 3
  %3 = getelementptr nusw i8, ptr %2, i64 %i
  %4 = getelementptr nuw i8, ptr %3, i64 %i
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 %i
  %6 = getelementptr i32, <2 x ptr> %v, i64 1
  %7 = getelementptr i32, ptr %p, <2 x i64> %w
  %8 = addrspacecast ptr %5 to ptr addrspace(1)
  %9 = ptrtoint ptr %5 to i64
  %10 = inttoptr i64 %9 to ptr
  %11 = bitcast i64 %9 to double
  %12 = ptrtoaddr ptr %5 to i64
  call void (...) @use(<2 x ptr> %6, <2 x ptr> %7, ptr addrspace(1) %8, double %11, i64 %12)
  ret ptr %10
}

define <4 x i32> @vectors(<4 x i32> %a, <4 x i32> %b, <vscale x 4 x i32> %s, i32 %i) {
  %1 = extractelement <4 x i32> %a, i32 %i
  %2 = insertelement <4 x i32> %b, i32 %1, i64 2
  %3 = shufflevector <4 x i32> %a, <4 x i32> %2, <4 x i32> <i32 0, i32 5, i32 poison, i32 7>
  %4 = shufflevector <4 x i32> %3, <4 x i32> poison, <2 x i32> <i32 1, i32 0>
  %5 = shufflevector <vscale x 4 x i32> %s, <vscale x 4 x i32> poison, <vscale x 4 x i32> zeroinitializer
  %6 = extractelement <vscale x 4 x i32> %5, i32 0
  %7 = insertvalue { i32, [2 x i64] } poison, i64 7, 1, 0
  %8 = extractvalue { i32, [2 x i64] } %7, 1, 0
  %9 = insertvalue { i32, [2 x i64] } { i32 1, [2 x i64] undef }, i32 %6, 0
  call void (...) @use(<2 x i32> %4, i64 %8, { i32, [2 x i64] } %9)
  ret <4 x i32> %3
}

define i32 @calls(ptr %f, i32 %x, ...) convergent {
  %list = alloca ptr, align 8, addrspace(5)
  %flat = addrspacecast ptr addrspace(5) %list to ptr
  %arg = va_arg ptr %flat, double
  %1 = tail call i32 %f(i32 %x)
  %2 = notail call signext i32 %f(i32 zeroext %x, ptr nonnull %f) nounwind
  call void (...) @use(i32 %1, i32 %2, double %arg)
  call void @llvm.assume(i1 true) [ "align"(ptr %f, i64 8), "nonnull"(ptr %f) ]
  call void (...) @use() [ "weird \22tag"(), "deopt"(i32 1, ptr %f) ]
  %t = call token @llvm.experimental.convergence.entry()
  call void (...) @use(i32 1) convergent [ "convergencectrl"(token %t) ]
  %3 = call i32 asm sideeffect alignstack inteldialect "mov $0, $1 \0A\09", "=r,r,~{memory}"(i32 %x)
  %4 = call { i32, i32 } asm "", "=r,=r"()
  call void asm sideeffect unwind "call x", ""()
  switch i32 %x, label %end [
  ]
end:
  switch i32 %x, label %done [
    i32 -1, label %more
    i32 2147483647, label %done
    i32 7, label %more
  ]
more:
  br label %done
done:
  unreachable
}

define i64 @"must tail"(i64 %x, ptr %"odd \22 name") {
"odd block":
  %"1x" = add i64 %x, 1
  %"-ok.$_" = add i64 %"1x", 1
  br label %plain
plain:
  %r = musttail call i64 @"must tail"(i64 %"-ok.$_", ptr %"odd \22 name")
  ret i64 %r
}
