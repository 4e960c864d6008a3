; ModuleID = 'threads.cpp'
source_filename = "threads.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

$_ZN5adderD2Ev = comdat any

$_ZN6by_one3addEPi = comdat any

$_ZN6by_oneD0Ev = comdat any

$_ZTV6by_one = comdat any

$_ZTS6by_one = comdat any

$_ZTS5adder = comdat any

$_ZTI5adder = comdat any

$_ZTI6by_one = comdat any

@_ZTV6by_one = linkonce_odr dso_local unnamed_addr constant { [5 x ptr] } { [5 x ptr] [ptr null, ptr @_ZTI6by_one, ptr @_ZN6by_one3addEPi, ptr @_ZN5adderD2Ev, ptr @_ZN6by_oneD0Ev] }, comdat, align 8
@_ZL3one = internal global { ptr } { ptr getelementptr inbounds ({ [5 x ptr] }, ptr @_ZTV6by_one, i32 0, inrange i32 0, i32 2) }, align 8, !dbg !0
@_ZL7counter = internal global i32 0, align 4, !dbg !16
@_ZTVN10__cxxabiv120__si_class_type_infoE = external global ptr
@_ZTS6by_one = linkonce_odr dso_local constant [8 x i8] c"6by_one\00", comdat, align 1
@_ZTVN10__cxxabiv117__class_type_infoE = external global ptr
@_ZTS5adder = linkonce_odr dso_local constant [7 x i8] c"5adder\00", comdat, align 1
@_ZTI5adder = linkonce_odr dso_local constant { ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv117__class_type_infoE, i64 2), ptr @_ZTS5adder }, comdat, align 8
@_ZTI6by_one = linkonce_odr dso_local constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @_ZTS6by_one, ptr @_ZTI5adder }, comdat, align 8
@llvm.global_ctors = appending global [0 x { i32, ptr, ptr }] zeroinitializer
@str = private unnamed_addr constant [5 x i8] c"done\00", align 1

; Function Attrs: nounwind uwtable
define linkonce_odr dso_local void @_ZN5adderD2Ev(ptr noundef nonnull align 8 dereferenceable(8) %0) unnamed_addr #0 comdat align 2 !dbg !34 {
  call void @llvm.dbg.value(metadata ptr %0, metadata !40, metadata !DIExpression()), !dbg !41
  ret void, !dbg !42
}

; Function Attrs: mustprogress uwtable
define dso_local ptr @worker(ptr nocapture readnone %0) #1 !dbg !43 {
  call void @llvm.dbg.value(metadata ptr poison, metadata !48, metadata !DIExpression()), !dbg !51
  call void @llvm.dbg.value(metadata i32 0, metadata !49, metadata !DIExpression()), !dbg !52
  br label %3, !dbg !53

2:                                                ; preds = %3
  ret ptr null, !dbg !54

3:                                                ; preds = %1, %3
  %4 = phi i32 [ 0, %1 ], [ %7, %3 ]
  call void @llvm.dbg.value(metadata i32 %4, metadata !49, metadata !DIExpression()), !dbg !52
  %5 = load ptr, ptr @_ZL3one, align 8, !dbg !55, !tbaa !57
  %6 = load ptr, ptr %5, align 8, !dbg !55
  tail call void %6(ptr noundef nonnull align 8 dereferenceable(8) @_ZL3one, ptr noundef nonnull @_ZL7counter), !dbg !55
  %7 = add nuw nsw i32 %4, 1, !dbg !60
  call void @llvm.dbg.value(metadata i32 %7, metadata !49, metadata !DIExpression()), !dbg !52
  %8 = icmp eq i32 %7, 10, !dbg !61
  br i1 %8, label %2, label %3, !dbg !53, !llvm.loop !62
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #2

; Function Attrs: mustprogress norecurse uwtable
define dso_local noundef i32 @main() local_unnamed_addr #3 !dbg !66 {
  %1 = alloca i64, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %1) #11, !dbg !74
  call void @llvm.dbg.value(metadata ptr %1, metadata !70, metadata !DIExpression(DW_OP_deref)), !dbg !75
  %2 = call i32 @pthread_create(ptr noundef nonnull %1, ptr noundef null, ptr noundef nonnull @worker, ptr noundef null) #11, !dbg !76
  call void @llvm.dbg.value(metadata ptr null, metadata !48, metadata !DIExpression()), !dbg !77
  call void @llvm.dbg.value(metadata i32 0, metadata !49, metadata !DIExpression()), !dbg !79
  br label %3, !dbg !80

3:                                                ; preds = %3, %0
  %4 = phi i32 [ 0, %0 ], [ %7, %3 ]
  call void @llvm.dbg.value(metadata i32 %4, metadata !49, metadata !DIExpression()), !dbg !79
  %5 = load ptr, ptr @_ZL3one, align 8, !dbg !81, !tbaa !57
  %6 = load ptr, ptr %5, align 8, !dbg !81
  call void %6(ptr noundef nonnull align 8 dereferenceable(8) @_ZL3one, ptr noundef nonnull @_ZL7counter), !dbg !81
  %7 = add nuw nsw i32 %4, 1, !dbg !82
  call void @llvm.dbg.value(metadata i32 %7, metadata !49, metadata !DIExpression()), !dbg !79
  %8 = icmp eq i32 %7, 10, !dbg !83
  br i1 %8, label %9, label %3, !dbg !80, !llvm.loop !84

9:                                                ; preds = %3
  %10 = load i64, ptr %1, align 8, !dbg !86, !tbaa !87
  call void @llvm.dbg.value(metadata i64 %10, metadata !70, metadata !DIExpression()), !dbg !75
  %11 = call i32 @pthread_join(i64 noundef %10, ptr noundef null), !dbg !90
  %12 = call i32 @puts(ptr nonnull dereferenceable(1) @str), !dbg !91
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %1) #11, !dbg !92
  ret i32 0, !dbg !92
}

; Function Attrs: nounwind
declare !dbg !93 i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #4

declare !dbg !107 i32 @pthread_join(i64 noundef, ptr noundef) local_unnamed_addr #5

; Function Attrs: mustprogress nounwind uwtable
define linkonce_odr dso_local void @_ZN6by_one3addEPi(ptr noundef nonnull align 8 dereferenceable(8) %0, ptr noundef %1) unnamed_addr #6 comdat align 2 !dbg !111 {
  call void @llvm.dbg.value(metadata ptr %0, metadata !113, metadata !DIExpression()), !dbg !116
  call void @llvm.dbg.value(metadata ptr %1, metadata !115, metadata !DIExpression()), !dbg !116
  %3 = load i32, ptr %1, align 4, !dbg !117, !tbaa !118
  %4 = add nsw i32 %3, 1, !dbg !117
  store i32 %4, ptr %1, align 4, !dbg !117, !tbaa !118
  ret void, !dbg !120
}

; Function Attrs: inlinehint nounwind uwtable
define linkonce_odr dso_local void @_ZN6by_oneD0Ev(ptr noundef nonnull align 8 dereferenceable(8) %0) unnamed_addr #7 comdat align 2 !dbg !121 {
  call void @llvm.dbg.value(metadata ptr %0, metadata !126, metadata !DIExpression()), !dbg !127
  tail call void @_ZdlPv(ptr noundef %0) #12, !dbg !128
  ret void, !dbg !128
}

; Function Attrs: nobuiltin nounwind
declare void @_ZdlPv(ptr noundef) local_unnamed_addr #8

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare void @llvm.dbg.value(metadata, metadata, metadata) #9

; Function Attrs: nofree nounwind
declare noundef i32 @puts(ptr nocapture noundef readonly) local_unnamed_addr #10

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { mustprogress norecurse uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { mustprogress nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { inlinehint nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #8 = { nobuiltin nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #9 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #10 = { nofree nounwind }
attributes #11 = { nounwind }
attributes #12 = { builtin nounwind }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!27, !28, !29, !30, !31, !32}
!llvm.ident = !{!33}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "one", linkageName: "_ZL3one", scope: !2, file: !3, line: 14, type: !19, isLocal: true, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3, producer: "Debian clang version 16.0.6 (15~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, globals: !4, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "threads.cpp", directory: ".", checksumkind: CSK_MD5, checksum: "07876482c76bc99bea432279f4f64855")
!4 = !{!0, !5, !12, !16}
!5 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression())
!6 = distinct !DIGlobalVariable(scope: null, file: !3, line: 27, type: !7, isLocal: true, isDefinition: true)
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 48, elements: !10)
!8 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !9)
!9 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!10 = !{!11}
!11 = !DISubrange(count: 6)
!12 = !DIGlobalVariableExpression(var: !13, expr: !DIExpression())
!13 = distinct !DIGlobalVariable(name: "chosen", linkageName: "_ZL6chosen", scope: !2, file: !3, line: 15, type: !14, isLocal: true, isDefinition: true)
!14 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !15, size: 64)
!15 = !DICompositeType(tag: DW_TAG_structure_type, name: "adder", file: !3, line: 5, size: 64, flags: DIFlagFwdDecl | DIFlagNonTrivial, identifier: "_ZTS5adder")
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(name: "counter", linkageName: "_ZL7counter", scope: !2, file: !3, line: 13, type: !18, isLocal: true, isDefinition: true)
!18 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!19 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "by_one", file: !3, line: 9, size: 64, flags: DIFlagTypePassByReference | DIFlagNonTrivial, elements: !20, vtableHolder: !15, identifier: "_ZTS6by_one")
!20 = !{!21, !22}
!21 = !DIDerivedType(tag: DW_TAG_inheritance, scope: !19, baseType: !15, extraData: i32 0)
!22 = !DISubprogram(name: "add", linkageName: "_ZN6by_one3addEPi", scope: !19, file: !3, line: 10, type: !23, scopeLine: 10, containingType: !19, virtualIndex: 0, flags: DIFlagPrototyped, spFlags: DISPFlagVirtual | DISPFlagOptimized)
!23 = !DISubroutineType(types: !24)
!24 = !{null, !25, !26}
!25 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !19, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!26 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !18, size: 64)
!27 = !{i32 7, !"Dwarf Version", i32 5}
!28 = !{i32 2, !"Debug Info Version", i32 3}
!29 = !{i32 1, !"wchar_size", i32 4}
!30 = !{i32 8, !"PIC Level", i32 2}
!31 = !{i32 7, !"PIE Level", i32 2}
!32 = !{i32 7, !"uwtable", i32 2}
!33 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!34 = distinct !DISubprogram(name: "~adder", linkageName: "_ZN5adderD2Ev", scope: !15, file: !3, line: 7, type: !35, scopeLine: 7, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, declaration: !38, retainedNodes: !39)
!35 = !DISubroutineType(types: !36)
!36 = !{null, !37}
!37 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !15, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!38 = !DISubprogram(name: "~adder", scope: !15, file: !3, line: 7, type: !35, scopeLine: 7, containingType: !15, virtualIndex: 0, flags: DIFlagPrototyped, spFlags: DISPFlagVirtual | DISPFlagOptimized)
!39 = !{!40}
!40 = !DILocalVariable(name: "this", arg: 1, scope: !34, type: !14, flags: DIFlagArtificial | DIFlagObjectPointer)
!41 = !DILocation(line: 0, scope: !34)
!42 = !DILocation(line: 7, column: 30, scope: !34)
!43 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 17, type: !44, scopeLine: 17, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !47)
!44 = !DISubroutineType(types: !45)
!45 = !{!46, !46}
!46 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!47 = !{!48, !49}
!48 = !DILocalVariable(arg: 1, scope: !43, file: !3, line: 17, type: !46)
!49 = !DILocalVariable(name: "at", scope: !50, file: !3, line: 18, type: !18)
!50 = distinct !DILexicalBlock(scope: !43, file: !3, line: 18, column: 5)
!51 = !DILocation(line: 0, scope: !43)
!52 = !DILocation(line: 0, scope: !50)
!53 = !DILocation(line: 18, column: 5, scope: !50)
!54 = !DILocation(line: 19, column: 5, scope: !43)
!55 = !DILocation(line: 18, column: 45, scope: !56)
!56 = distinct !DILexicalBlock(scope: !50, file: !3, line: 18, column: 5)
!57 = !{!58, !58, i64 0}
!58 = !{!"vtable pointer", !59, i64 0}
!59 = !{!"Simple C++ TBAA"}
!60 = !DILocation(line: 18, column: 33, scope: !56)
!61 = !DILocation(line: 18, column: 25, scope: !56)
!62 = distinct !{!62, !53, !63, !64, !65}
!63 = !DILocation(line: 18, column: 57, scope: !50)
!64 = !{!"llvm.loop.mustprogress"}
!65 = !{!"llvm.loop.unroll.disable"}
!66 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 22, type: !67, scopeLine: 22, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !69)
!67 = !DISubroutineType(types: !68)
!68 = !{!18}
!69 = !{!70}
!70 = !DILocalVariable(name: "thread", scope: !66, file: !3, line: 23, type: !71)
!71 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !72, line: 27, baseType: !73)
!72 = !DIFile(filename: "/usr/include/x86_64-linux-gnu/bits/pthreadtypes.h", directory: "", checksumkind: CSK_MD5, checksum: "735e3bf264ff9d8f5d95898b1692fbdb")
!73 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!74 = !DILocation(line: 23, column: 5, scope: !66)
!75 = !DILocation(line: 0, scope: !66)
!76 = !DILocation(line: 24, column: 5, scope: !66)
!77 = !DILocation(line: 0, scope: !43, inlinedAt: !78)
!78 = distinct !DILocation(line: 25, column: 5, scope: !66)
!79 = !DILocation(line: 0, scope: !50, inlinedAt: !78)
!80 = !DILocation(line: 18, column: 5, scope: !50, inlinedAt: !78)
!81 = !DILocation(line: 18, column: 45, scope: !56, inlinedAt: !78)
!82 = !DILocation(line: 18, column: 33, scope: !56, inlinedAt: !78)
!83 = !DILocation(line: 18, column: 25, scope: !56, inlinedAt: !78)
!84 = distinct !{!84, !80, !85, !64, !65}
!85 = !DILocation(line: 18, column: 57, scope: !50, inlinedAt: !78)
!86 = !DILocation(line: 26, column: 18, scope: !66)
!87 = !{!88, !88, i64 0}
!88 = !{!"long", !89, i64 0}
!89 = !{!"omnipotent char", !59, i64 0}
!90 = !DILocation(line: 26, column: 5, scope: !66)
!91 = !DILocation(line: 27, column: 5, scope: !66)
!92 = !DILocation(line: 28, column: 1, scope: !66)
!93 = !DISubprogram(name: "pthread_create", scope: !94, file: !94, line: 202, type: !95, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !106)
!94 = !DIFile(filename: "/usr/include/pthread.h", directory: "", checksumkind: CSK_MD5, checksum: "5205981c6f80cc3dc1e81231df63d8ef")
!95 = !DISubroutineType(types: !96)
!96 = !{!18, !97, !99, !104, !105}
!97 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !98)
!98 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !71, size: 64)
!99 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !100)
!100 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !101, size: 64)
!101 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !102)
!102 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_attr_t", file: !72, line: 62, baseType: !103)
!103 = !DICompositeType(tag: DW_TAG_union_type, name: "pthread_attr_t", file: !72, line: 56, size: 448, flags: DIFlagFwdDecl, identifier: "_ZTS14pthread_attr_t")
!104 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !44, size: 64)
!105 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !46)
!106 = !{}
!107 = !DISubprogram(name: "pthread_join", scope: !94, file: !94, line: 219, type: !108, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !106)
!108 = !DISubroutineType(types: !109)
!109 = !{!18, !71, !110}
!110 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !46, size: 64)
!111 = distinct !DISubprogram(name: "add", linkageName: "_ZN6by_one3addEPi", scope: !19, file: !3, line: 10, type: !23, scopeLine: 10, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, declaration: !22, retainedNodes: !112)
!112 = !{!113, !115}
!113 = !DILocalVariable(name: "this", arg: 1, scope: !111, type: !114, flags: DIFlagArtificial | DIFlagObjectPointer)
!114 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !19, size: 64)
!115 = !DILocalVariable(name: "counter", arg: 2, scope: !111, file: !3, line: 10, type: !26)
!116 = !DILocation(line: 0, scope: !111)
!117 = !DILocation(line: 10, column: 48, scope: !111)
!118 = !{!119, !119, i64 0}
!119 = !{!"int", !89, i64 0}
!120 = !DILocation(line: 10, column: 54, scope: !111)
!121 = distinct !DISubprogram(name: "~by_one", linkageName: "_ZN6by_oneD0Ev", scope: !19, file: !3, line: 9, type: !122, scopeLine: 9, flags: DIFlagArtificial | DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, declaration: !124, retainedNodes: !125)
!122 = !DISubroutineType(types: !123)
!123 = !{null, !25}
!124 = !DISubprogram(name: "~by_one", scope: !19, type: !122, containingType: !19, virtualIndex: 0, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagVirtual | DISPFlagOptimized)
!125 = !{!126}
!126 = !DILocalVariable(name: "this", arg: 1, scope: !121, type: !114, flags: DIFlagArtificial | DIFlagObjectPointer)
!127 = !DILocation(line: 0, scope: !121)
!128 = !DILocation(line: 9, column: 8, scope: !121)
