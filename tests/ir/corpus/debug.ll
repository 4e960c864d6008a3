; Every specialised metadata node, debug records, attachments, named and generic metadata.
source_filename = "debug.c"
target triple = "x86_64-unknown-linux-gnu"

@variable = global i32 0, !dbg !20, !type !50, !type !51
@"other one" = external global i32, !absolute_symbol !52

declare !dbg !60 void @declared(i32)
declare void @llvm.metadata(metadata)
declare i64 @llvm.read_register.i64(metadata)

define i32 @traced(i32 %x, ptr %p) !dbg !10 !prof !53 !odd\20kind\22 !54 {
entry:
  %slot = alloca i32, align 4, !DIAssignID !40
    #dbg_value(i32 %x, !31, !DIExpression(), !32)
    #dbg_declare(ptr %slot, !33, !DIExpression(DW_OP_plus_uconst, 8, DW_OP_deref), !32)
    #dbg_assign(i32 %x, !33, !DIExpression(), !40, ptr %slot, !DIExpression(DW_OP_LLVM_fragment, 0, 16), !32)
    #dbg_label(!34, !32)
  store i32 %x, ptr %slot, align 4, !dbg !32, !DIAssignID !41, !tbaa !55, !nontemporal !56
    #dbg_value(!DIArgList(i32 %x, i32 7, ptr %slot), !31, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), !32)
    #dbg_value(i32 %later, !31, !DIExpression(DW_OP_LLVM_convert, 32, DW_ATE_signed, DW_OP_LLVM_convert, 64, DW_ATE_signed, DW_OP_stack_value), !32)
    #dbg_value(i64 ptrtoint (ptr @variable to i64), !31, !DIExpression(DW_OP_constu, 3, DW_OP_stack_value, DW_OP_LLVM_fragment, 0, 16), !32)
    #dbg_value(!{}, !31, !DIExpression(), !32)
    #dbg_value(ptr undef, !31, !DIExpression(DW_OP_LLVM_tag_offset, 1, DW_OP_LLVM_extract_bits_sext, 0, 8), !35)
  %later = add i32 %x, 1, !dbg !35, !annotation !57
  %reg = call i64 @llvm.read_register.i64(metadata !58), !dbg !36
  call void @declared(i32 %later), !dbg !37
  %loaded = load i32, ptr %p, align 4, !dbg !32, !range !59, !noundef !{}, !custom.kind !61
  br label %loop, !dbg !32, !llvm.loop !62
loop:
    #dbg_value(i32 %loaded, !31, !DIExpression(), !32)
  ret i32 %loaded, !dbg !DILocation(line: 9, column: 1, scope: !10, isImplicitCode: true)
}

!llvm.dbg.cu = !{!0, !1, !102}
!llvm.module.flags = !{!2, !3}
!llvm.ident = !{!4}
!odd\20named\20 = !{!54, !63}
!all = !{!64, !65, !66, !67, !68, !69, !70, !71, !72, !73, !74, !75, !76, !77, !78, !79, !80, !81, !82, !83, !84, !85, !86, !87, !88, !89, !90, !91, !92, !93, !94, !95, !96, !97, !98}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !5, producer: "clang \22x\22", isOptimized: true, flags: "-O2", runtimeVersion: 1, splitDebugFilename: "a.dwo", emissionKind: FullDebug, enums: !6, retainedTypes: !7, globals: !8, imports: !9, macros: !29, dwoId: 42, splitDebugInlining: false, debugInfoForProfiling: true, nameTableKind: GNU, rangesBaseAddress: true, sysroot: "/", sdk: "sdk")
!1 = distinct !DICompileUnit(language: DW_LANG_Swift, file: !5, isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly, nameTableKind: None)
!102 = distinct !DICompileUnit(sourceLanguageName: DW_LNAME_C_plus_plus, sourceLanguageVersion: 201402, file: !5, isOptimized: false, runtimeVersion: 0, emissionKind: NoDebug)
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = !{!"irsan corpus"}
!5 = !DIFile(filename: "debug.c", directory: "/src", checksumkind: CSK_MD5, checksum: "d41d8cd98f00b204e9800998ecf8427e", source: "int x;\0A")
!6 = !{!64}
!7 = !{!67, !60}
!8 = !{!20}
!9 = !{!80}
!10 = distinct !DISubprogram(name: "traced", linkageName: "_traced", scope: !5, file: !5, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized | DISPFlagLocalToUnit, unit: !0, templateParams: !12, retainedNodes: !13, thrownTypes: !6, annotations: !14, targetFuncName: "target", keyInstructions: true)
!11 = !DISubroutineType(flags: DIFlagPublic, cc: DW_CC_normal, types: !15)
!12 = !{!76, !77}
!13 = !{!31}
!14 = !{!16}
!15 = !{!66, !66, null}
!16 = !{!"btf", !"tag"}
!20 = !DIGlobalVariableExpression(var: !21, expr: !DIExpression(DW_OP_constu, 7, DW_OP_stack_value))
!21 = distinct !DIGlobalVariable(name: "variable", linkageName: "_variable", scope: !0, file: !5, line: 1, type: !66, isLocal: false, isDefinition: true, declaration: !68, templateParams: !12, align: 32, annotations: !14)
!29 = !{!82, !83}
!31 = !DILocalVariable(name: "x", arg: 1, scope: !10, file: !5, line: 3, type: !66, flags: DIFlagArtificial, align: 8, annotations: !14)
!32 = !DILocation(line: 5, column: 2, scope: !10)
!33 = !DILocalVariable(scope: !78)
!34 = !DILabel(scope: !10, name: "again", file: !5, line: 6, column: 3, isArtificial: true, coroSuspendIdx: 0)
!35 = !DILocation(line: 7, column: 4, scope: !78, inlinedAt: !32, atomGroup: 3, atomRank: 2)
!36 = !DILocation(line: 0, scope: !79)
!37 = distinct !DILocation(line: 70000, column: 9, scope: !10)
!40 = distinct !DIAssignID()
!41 = distinct !DIAssignID()
!50 = !{i64 0, !"type"}
!51 = !{i64 8, !"other"}
!52 = !{i64 -1, i64 -1}
!53 = !{!"function_entry_count", i64 100}
!54 = distinct !{!54, !"self", !"\00\FF\22\5C"}
!55 = !{!100, !100, i64 0}
!100 = !{!"int", !101}
!101 = !{!"tbaa root"}
!56 = !{i32 1}
!57 = !{!"auto-init", !16}
!58 = !{!"rsp"}
!59 = !{i32 0, i32 10, i32 20, i32 -5}
!60 = !DISubprogram(name: "declared", scope: !5, file: !5, line: 1, type: !11, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!61 = !{ptr @variable, double 0x3FF8000000000000, i1 true, <2 x i32> splat (i32 1), null, !"s"}
!62 = distinct !{!62, !32, !63}
!63 = !{!"llvm.loop.mustprogress"}
!64 = distinct !DICompositeType(tag: DW_TAG_enumeration_type, name: "colour", scope: !5, file: !5, line: 2, baseType: !66, size: 32, align: 32, flags: DIFlagEnumClass, elements: !17, identifier: "_colour", enumKind: DW_APPLE_ENUM_KIND_Open, annotations: !14)
!17 = !{!18, !19, !22, !23}
!18 = !DIEnumerator(name: "RED", value: -1)
!19 = !DIEnumerator(name: "BIG", value: 18446744073709551615, isUnsigned: true)
!22 = !DIEnumerator(name: "", value: 0)
!23 = !DIEnumerator(name: "HUGE", value: 340282366920938463463374607431768211455, isUnsigned: true)
!65 = !DIBasicType(name: "unspecified", tag: DW_TAG_unspecified_type)
!66 = !DIBasicType(name: "int", size: 32, align: 32, encoding: DW_ATE_signed, num_extra_inhabitants: 3, dataSize: 31)
!67 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "p", scope: !5, file: !5, line: 9, baseType: null, size: 64, align: 8, offset: 16, flags: DIFlagProtected, extraData: i32 5, dwarfAddressSpace: 0, annotations: !14)
!68 = !DIDerivedType(tag: DW_TAG_member, name: "bits", baseType: !66, size: 3, offset: 5, flags: DIFlagPublic | DIFlagBitField, extraData: i64 0)
!69 = !DIDerivedType(tag: DW_TAG_LLVM_ptrauth_type, baseType: !67, ptrAuthKey: 2, ptrAuthIsAddressDiscriminated: true, ptrAuthExtraDiscriminator: 1234, ptrAuthIsaPointer: true, ptrAuthAuthenticatesNullValues: true)
!70 = !DICompositeType(tag: DW_TAG_structure_type, name: "s", file: !5, line: 1, size: 64, flags: DIFlagFwdDecl | DIFlagTypePassByValue, elements: !6, runtimeLang: DW_LANG_C_plus_plus, vtableHolder: !64, templateParams: !12, identifier: "id", specification: !64)
!71 = !DICompositeType(tag: DW_TAG_array_type, baseType: !66, elements: !24, dataLocation: !DIExpression(DW_OP_push_object_address, DW_OP_deref), associated: !31, allocated: !31, rank: 2, bitStride: !99)
!24 = !{!72, !73, !74, !75}
!72 = !DISubrange(count: 4, lowerBound: -1)
!73 = !DISubrange(count: !31, lowerBound: !DIExpression(DW_OP_lit0), stride: 3)
!74 = !DIGenericSubrange(lowerBound: !DIExpression(DW_OP_constu, 1), upperBound: !31, stride: !DIExpression(DW_OP_constu, 1))
!75 = !DISubrangeType(name: "sub", scope: !5, file: !5, line: 4, size: 32, align: 8, baseType: !66, lowerBound: 1, upperBound: !31, stride: 4, bias: 10)
!76 = !DITemplateTypeParameter(name: "T", type: !66, defaulted: true)
!77 = !DITemplateValueParameter(tag: DW_TAG_GNU_template_template_param, name: "N", type: !66, defaulted: true, value: i32 7)
!78 = distinct !DILexicalBlock(scope: !10, file: !5, line: 5, column: 7)
!79 = !DILexicalBlockFile(scope: !78, file: !5, discriminator: 3)
!80 = !DIImportedEntity(tag: DW_TAG_imported_module, name: "alias", scope: !5, entity: !84, file: !5, line: 4, elements: !6)
!81 = !DINamespace(name: "inline", scope: null, exportSymbols: true)
!82 = !DIMacro(type: DW_MACINFO_define, line: 3, name: "X", value: "1")
!83 = !DIMacroFile(line: 2, file: !5, nodes: !25)
!25 = !{!82}
!84 = !DIModule(scope: !5, name: "Mod", configMacros: "-D", includePath: "/inc", apinotes: "notes", file: !5, line: 3, isDecl: true)
!85 = !DIObjCProperty(name: "prop", file: !5, line: 2, setter: "set", getter: "get", attributes: 7, type: !66)
!86 = !DIStringType(name: "character(*)", stringLength: !31, stringLengthExpression: !DIExpression(DW_OP_deref), stringLocationExpression: !DIExpression(), size: 32, align: 8)
!87 = !DICommonBlock(scope: !10, declaration: !21, name: "common", file: !5, line: 8)
!88 = !GenericDINode(tag: DW_TAG_member, header: "header\00x", operands: {!66, null, !"s"})
!89 = !GenericDINode(tag: 3)
!90 = !DIFixedPointType(name: "fixed", size: 32, align: 8, encoding: DW_ATE_signed_fixed, kind: Binary, factor: -4)
!91 = !DIFixedPointType(name: "ratio", size: 32, encoding: DW_ATE_unsigned_fixed, kind: Rational, numerator: 1, denominator: 3)
!92 = !DINamespace(scope: !81)
!93 = !{!94, !93, !31}
!94 = distinct !{}
!95 = !{}
!96 = !DITemplateValueParameter(type: !66, value: null)
!97 = !DIBasicType(tag: DW_TAG_base_type, name: "big", size: 64, encoding: DW_ATE_float, flags: DIFlagBigEndian)
!99 = !DIExpression(DW_OP_constu, 8)
!98 = distinct !DISubprogram(name: "method", scope: !70, containingType: !70, virtualIndex: 3, thisAdjustment: -8, spFlags: DISPFlagPureVirtual, flags: DIFlagExplicit | DIFlagVirtualInheritance)
