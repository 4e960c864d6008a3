"""Words of `ctx.program` and `ctx.cxx`: how the program starts, and two functions of its library.

WORDS_END           where the words that begin with argv end
ARCHIVE_TLS         bytes of a thread's block before the thread-locals of archives
THROW_BAD_ALLOC     std::__throw_bad_alloc, GET_NEW_HANDLER std::get_new_handler; 0 without C++
"""

from __future__ import annotations

from typing import Final

ARGC: Final = 0
ARGV: Final = 1
ENVP: Final = 2
MAIN: Final = 3
CONSTRUCTORS: Final = 4
N_CONSTRUCTORS: Final = 5
ARCHIVE_TLS: Final = 6
WORDS_END: Final = 7

THROW_BAD_ALLOC: Final = 0
GET_NEW_HANDLER: Final = 1
