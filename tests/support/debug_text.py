"""Debug info of one function in LLVM assembly."""

from __future__ import annotations

LINE = 41


def debug_text(function: str) -> str:
    """Metadata of a.c: !4 is the function, in line 40; !7 is a place in LINE, !8 one behind it."""
    return f"""
!llvm.dbg.cu = !{{!0}}
!llvm.module.flags = !{{!2}}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{{i32 2, !"Debug Info Version", i32 3}}
!4 = distinct !DISubprogram(name: "{function}", file: !1, line: 40, type: !5, unit: !0, \
spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{{null}}
!7 = !DILocation(line: {LINE}, column: 3, scope: !4)
!8 = !DILocation(line: {LINE + 1}, column: 3, scope: !4)
"""
