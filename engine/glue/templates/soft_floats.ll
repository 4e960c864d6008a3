; Conversions from half and bfloat, as LLVM calls them; those to them are soft_floats.py.
;
; Exact; a subnormal half is its fraction times 2 to the power of -24.  Quad goes by way of a
; single, of which every half but zero is a normal number.

define float @__irsan_soft__extendhfsf2(half %x) {
  %short = bitcast half %x to i16
  %bits = zext i16 %short to i32
  %magnitude = and i32 %bits, 32767
  %sign.low = and i32 %bits, 32768
  %sign = shl i32 %sign.low, 16
  %whole = uitofp i32 %magnitude to float
  %tiny = fmul float %whole, 0x3E70000000000000
  %tiny.bits = bitcast float %tiny to i32
  %placed = shl i32 %magnitude, 13
  %normal = add i32 %placed, 939524096
  %special = or i32 %placed, 2139095040
  %is.special = icmp uge i32 %magnitude, 31744
  %is.nan = icmp ugt i32 %magnitude, 31744
  %quiet = select i1 %is.nan, i32 4194304, i32 0
  %quieted = or i32 %special, %quiet
  %is.tiny = icmp ult i32 %magnitude, 1024
  %finite = select i1 %is.tiny, i32 %tiny.bits, i32 %normal
  %value = select i1 %is.special, i32 %quieted, i32 %finite
  %signed = or i32 %value, %sign
  %result = bitcast i32 %signed to float
  ret float %result
}

define double @__irsan_soft__extendhfdf2(half %x) {
  %single = call float @__irsan_soft__extendhfsf2(half %x)
  %result = fpext float %single to double
  ret double %result
}

define x86_fp80 @__irsan_soft__extendhfxf2(half %x) {
  %single = call float @__irsan_soft__extendhfsf2(half %x)
  %result = fpext float %single to x86_fp80
  ret x86_fp80 %result
}

define fp128 @__irsan_soft__extendhftf2(half %x) {
  %single = call float @__irsan_soft__extendhfsf2(half %x)
  %short = bitcast float %single to i32
  %bits = zext i32 %short to i128
  %magnitude = and i128 %bits, 2147483647
  %is.zero = icmp eq i128 %magnitude, 0
  %is.special = icmp uge i128 %magnitude, 2139095040
  %more = select i1 %is.special, i128 32512, i128 16256
  %placed = shl i128 %magnitude, 89
  %added = shl i128 %more, 112
  %whole = add i128 %placed, %added
  %value = select i1 %is.zero, i128 0, i128 %whole
  %sign.low = and i128 %bits, 2147483648
  %sign = shl i128 %sign.low, 96
  %signed = or i128 %value, %sign
  %result = bitcast i128 %signed to fp128
  ret fp128 %result
}

define float @__irsan_soft__extendbfsf2(bfloat %x) {
  %short = bitcast bfloat %x to i16
  %bits = zext i16 %short to i32
  %placed = shl i32 %bits, 16
  %result = bitcast i32 %placed to float
  ret float %result
}
