; ModuleID = 'threads.cpp'
source_filename = "threads.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
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
@_ZL3one = internal global { ptr } { ptr getelementptr inbounds inrange(-16, 24) ({ [5 x ptr] }, ptr @_ZTV6by_one, i32 0, i32 0, i32 2) }, align 8, !dbg !0
@_ZL7counter = internal global i32 0, align 4, !dbg !16
@_ZTVN10__cxxabiv120__si_class_type_infoE = external global [0 x ptr]
@_ZTS6by_one = linkonce_odr dso_local constant [8 x i8] c"6by_one\00", comdat, align 1
@_ZTVN10__cxxabiv117__class_type_infoE = external global [0 x ptr]
@_ZTS5adder = linkonce_odr dso_local constant [7 x i8] c"5adder\00", comdat, align 1
@_ZTI5adder = linkonce_odr dso_local constant { ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv117__class_type_infoE, i64 2), ptr @_ZTS5adder }, comdat, align 8
@_ZTI6by_one = linkonce_odr dso_local constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @_ZTS6by_one, ptr @_ZTI5adder }, comdat, align 8
@llvm.global_ctors = appending global [0 x { i32, ptr, ptr }] zeroinitializer
@str = private unnamed_addr constant [5 x i8] c"done\00", align 1

; Function Attrs: mustprogress nounwind uwtable
define linkonce_odr dso_local void @_ZN5adderD2Ev(ptr noundef nonnull align 8 dereferenceable(8) %0) unnamed_addr #0 comdat align 2 !dbg !35 {
    #dbg_value(ptr %0, !41, !DIExpression(), !42)
  ret void, !dbg !43
}

; Function Attrs: mustprogress uwtable
define dso_local noundef ptr @worker(ptr nocapture readnone %0) #1 !dbg !44 {
    #dbg_value(ptr poison, !49, !DIExpression(), !52)
    #dbg_value(i32 0, !50, !DIExpression(), !53)
  br label %3, !dbg !54

2:                                                ; preds = %3
  ret ptr null, !dbg !55

3:                                                ; preds = %1, %3
  %4 = phi i32 [ 0, %1 ], [ %7, %3 ]
    #dbg_value(i32 %4, !50, !DIExpression(), !53)
  %5 = load ptr, ptr @_ZL3one, align 8, !dbg !56, !tbaa !58
  %6 = load ptr, ptr %5, align 8, !dbg !56
  tail call void %6(ptr noundef nonnull align 8 dereferenceable(8) @_ZL3one, ptr noundef nonnull @_ZL7counter), !dbg !56
  %7 = add nuw nsw i32 %4, 1, !dbg !61
    #dbg_value(i32 %7, !50, !DIExpression(), !53)
  %8 = icmp eq i32 %7, 10, !dbg !62
  br i1 %8, label %2, label %3, !dbg !54, !llvm.loop !63
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #2

; Function Attrs: mustprogress norecurse uwtable
define dso_local noundef i32 @main() local_unnamed_addr #3 !dbg !67 {
  %1 = alloca i64, align 8, !DIAssignID !75
    #dbg_assign(i1 undef, !71, !DIExpression(), !75, ptr %1, !DIExpression(), !76)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %1) #9, !dbg !77
  %2 = call i32 @pthread_create(ptr noundef nonnull %1, ptr noundef null, ptr noundef nonnull @worker, ptr noundef null) #9, !dbg !78
    #dbg_value(ptr null, !49, !DIExpression(), !79)
    #dbg_value(i32 0, !50, !DIExpression(), !81)
  br label %3, !dbg !82

3:                                                ; preds = %3, %0
  %4 = phi i32 [ 0, %0 ], [ %7, %3 ]
    #dbg_value(i32 %4, !50, !DIExpression(), !81)
  %5 = load ptr, ptr @_ZL3one, align 8, !dbg !83, !tbaa !58
  %6 = load ptr, ptr %5, align 8, !dbg !83
  call void %6(ptr noundef nonnull align 8 dereferenceable(8) @_ZL3one, ptr noundef nonnull @_ZL7counter), !dbg !83
  %7 = add nuw nsw i32 %4, 1, !dbg !84
    #dbg_value(i32 %7, !50, !DIExpression(), !81)
  %8 = icmp eq i32 %7, 10, !dbg !85
  br i1 %8, label %9, label %3, !dbg !82, !llvm.loop !86

9:                                                ; preds = %3
  %10 = load i64, ptr %1, align 8, !dbg !88, !tbaa !89
  %11 = call i32 @pthread_join(i64 noundef %10, ptr noundef null), !dbg !92
  %12 = call i32 @puts(ptr nonnull dereferenceable(1) @str), !dbg !93
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %1) #9, !dbg !94
  ret i32 0, !dbg !94
}

; Function Attrs: nounwind
declare !dbg !95 i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #4

declare !dbg !108 i32 @pthread_join(i64 noundef, ptr noundef) local_unnamed_addr #5

; Function Attrs: mustprogress nounwind uwtable
define linkonce_odr dso_local void @_ZN6by_one3addEPi(ptr noundef nonnull align 8 dereferenceable(8) %0, ptr noundef %1) unnamed_addr #0 comdat align 2 !dbg !112 {
    #dbg_value(ptr %0, !114, !DIExpression(), !117)
    #dbg_value(ptr %1, !116, !DIExpression(), !117)
  %3 = load i32, ptr %1, align 4, !dbg !118, !tbaa !119
  %4 = add nsw i32 %3, 1, !dbg !118
  store i32 %4, ptr %1, align 4, !dbg !118, !tbaa !119
  ret void, !dbg !121
}

; Function Attrs: inlinehint mustprogress nounwind uwtable
define linkonce_odr dso_local void @_ZN6by_oneD0Ev(ptr noundef nonnull align 8 dereferenceable(8) %0) unnamed_addr #6 comdat align 2 !dbg !122 {
    #dbg_value(ptr %0, !127, !DIExpression(), !128)
  tail call void @_ZdlPvm(ptr noundef %0, i64 noundef 8) #10, !dbg !129
  ret void, !dbg !129
}

; Function Attrs: nobuiltin nounwind
declare void @_ZdlPvm(ptr noundef, i64 noundef) local_unnamed_addr #7

; Function Attrs: nofree nounwind
declare noundef i32 @puts(ptr nocapture noundef readonly) local_unnamed_addr #8

attributes #0 = { mustprogress nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { mustprogress norecurse uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { inlinehint mustprogress nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { nobuiltin nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #8 = { nofree nounwind }
attributes #9 = { nounwind }
attributes #10 = { builtin nounwind }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!27, !28, !29, !30, !31, !32, !33}
!llvm.ident = !{!34}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "one", linkageName: "_ZL3one", scope: !2, file: !3, line: 14, type: !19, isLocal: true, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, globals: !4, splitDebugInlining: false, nameTableKind: None)
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
!33 = !{i32 7, !"debug-info-assignment-tracking", i1 true}
!34 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!35 = distinct !DISubprogram(name: "~adder", linkageName: "_ZN5adderD2Ev", scope: !15, file: !3, line: 7, type: !36, scopeLine: 7, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, declaration: !39, retainedNodes: !40)
!36 = !DISubroutineType(types: !37)
!37 = !{null, !38}
!38 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !15, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!39 = !DISubprogram(name: "~adder", scope: !15, file: !3, line: 7, type: !36, scopeLine: 7, containingType: !15, virtualIndex: 0, flags: DIFlagPrototyped, spFlags: DISPFlagVirtual | DISPFlagOptimized)
!40 = !{!41}
!41 = !DILocalVariable(name: "this", arg: 1, scope: !35, type: !14, flags: DIFlagArtificial | DIFlagObjectPointer)
!42 = !DILocation(line: 0, scope: !35)
!43 = !DILocation(line: 7, column: 30, scope: !35)
!44 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 17, type: !45, scopeLine: 17, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !48)
!45 = !DISubroutineType(types: !46)
!46 = !{!47, !47}
!47 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!48 = !{!49, !50}
!49 = !DILocalVariable(arg: 1, scope: !44, file: !3, line: 17, type: !47)
!50 = !DILocalVariable(name: "at", scope: !51, file: !3, line: 18, type: !18)
!51 = distinct !DILexicalBlock(scope: !44, file: !3, line: 18, column: 5)
!52 = !DILocation(line: 0, scope: !44)
!53 = !DILocation(line: 0, scope: !51)
!54 = !DILocation(line: 18, column: 5, scope: !51)
!55 = !DILocation(line: 19, column: 5, scope: !44)
!56 = !DILocation(line: 18, column: 45, scope: !57)
!57 = distinct !DILexicalBlock(scope: !51, file: !3, line: 18, column: 5)
!58 = !{!59, !59, i64 0}
!59 = !{!"vtable pointer", !60, i64 0}
!60 = !{!"Simple C++ TBAA"}
!61 = !DILocation(line: 18, column: 33, scope: !57)
!62 = !DILocation(line: 18, column: 25, scope: !57)
!63 = distinct !{!63, !54, !64, !65, !66}
!64 = !DILocation(line: 18, column: 57, scope: !51)
!65 = !{!"llvm.loop.mustprogress"}
!66 = !{!"llvm.loop.unroll.disable"}
!67 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 22, type: !68, scopeLine: 22, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !70)
!68 = !DISubroutineType(types: !69)
!69 = !{!18}
!70 = !{!71}
!71 = !DILocalVariable(name: "thread", scope: !67, file: !3, line: 23, type: !72)
!72 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !73, line: 27, baseType: !74)
!73 = !DIFile(filename: "/usr/include/x86_64-linux-gnu/bits/pthreadtypes.h", directory: "", checksumkind: CSK_MD5, checksum: "735e3bf264ff9d8f5d95898b1692fbdb")
!74 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!75 = distinct !DIAssignID()
!76 = !DILocation(line: 0, scope: !67)
!77 = !DILocation(line: 23, column: 5, scope: !67)
!78 = !DILocation(line: 24, column: 5, scope: !67)
!79 = !DILocation(line: 0, scope: !44, inlinedAt: !80)
!80 = distinct !DILocation(line: 25, column: 5, scope: !67)
!81 = !DILocation(line: 0, scope: !51, inlinedAt: !80)
!82 = !DILocation(line: 18, column: 5, scope: !51, inlinedAt: !80)
!83 = !DILocation(line: 18, column: 45, scope: !57, inlinedAt: !80)
!84 = !DILocation(line: 18, column: 33, scope: !57, inlinedAt: !80)
!85 = !DILocation(line: 18, column: 25, scope: !57, inlinedAt: !80)
!86 = distinct !{!86, !82, !87, !65, !66}
!87 = !DILocation(line: 18, column: 57, scope: !51, inlinedAt: !80)
!88 = !DILocation(line: 26, column: 18, scope: !67)
!89 = !{!90, !90, i64 0}
!90 = !{!"long", !91, i64 0}
!91 = !{!"omnipotent char", !60, i64 0}
!92 = !DILocation(line: 26, column: 5, scope: !67)
!93 = !DILocation(line: 27, column: 5, scope: !67)
!94 = !DILocation(line: 28, column: 1, scope: !67)
!95 = !DISubprogram(name: "pthread_create", scope: !96, file: !96, line: 202, type: !97, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!96 = !DIFile(filename: "/usr/include/pthread.h", directory: "", checksumkind: CSK_MD5, checksum: "5205981c6f80cc3dc1e81231df63d8ef")
!97 = !DISubroutineType(types: !98)
!98 = !{!18, !99, !101, !106, !107}
!99 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !100)
!100 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !72, size: 64)
!101 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !102)
!102 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !103, size: 64)
!103 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !104)
!104 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_attr_t", file: !73, line: 62, baseType: !105)
!105 = !DICompositeType(tag: DW_TAG_union_type, name: "pthread_attr_t", file: !73, line: 56, size: 448, flags: DIFlagFwdDecl, identifier: "_ZTS14pthread_attr_t")
!106 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !45, size: 64)
!107 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !47)
!108 = !DISubprogram(name: "pthread_join", scope: !96, file: !96, line: 219, type: !109, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!109 = !DISubroutineType(types: !110)
!110 = !{!18, !72, !111}
!111 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !47, size: 64)
!112 = distinct !DISubprogram(name: "add", linkageName: "_ZN6by_one3addEPi", scope: !19, file: !3, line: 10, type: !23, scopeLine: 10, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, declaration: !22, retainedNodes: !113)
!113 = !{!114, !116}
!114 = !DILocalVariable(name: "this", arg: 1, scope: !112, type: !115, flags: DIFlagArtificial | DIFlagObjectPointer)
!115 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !19, size: 64)
!116 = !DILocalVariable(name: "counter", arg: 2, scope: !112, file: !3, line: 10, type: !26)
!117 = !DILocation(line: 0, scope: !112)
!118 = !DILocation(line: 10, column: 48, scope: !112)
!119 = !{!120, !120, i64 0}
!120 = !{!"int", !91, i64 0}
!121 = !DILocation(line: 10, column: 54, scope: !112)
!122 = distinct !DISubprogram(name: "~by_one", linkageName: "_ZN6by_oneD0Ev", scope: !19, file: !3, line: 9, type: !123, scopeLine: 9, flags: DIFlagArtificial | DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, declaration: !125, retainedNodes: !126)
!123 = !DISubroutineType(types: !124)
!124 = !{null, !25}
!125 = !DISubprogram(name: "~by_one", scope: !19, type: !123, containingType: !19, virtualIndex: 0, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagVirtual | DISPFlagOptimized)
!126 = !{!127}
!127 = !DILocalVariable(name: "this", arg: 1, scope: !122, type: !115, flags: DIFlagArtificial | DIFlagObjectPointer)
!128 = !DILocation(line: 0, scope: !122)
!129 = !DILocation(line: 9, column: 8, scope: !122)
