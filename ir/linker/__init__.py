"""Several modules into one, with LLVM's rules.

linking.py       the entry: link_modules
targets.py       data layout and triple         resolution.py    which of two definitions stays
symbols.py       one table of names             comdats.py       one table of comdats
type_map.py      types of all modules as types of one context
transfer.py      what is kept, rewritten in place: symbols and types
metadata.py      the same for metadata          module_flags.py  the module flags' behaviours
appending.py     llvm.global_ctors and its like names.py         new names of local symbols
"""
