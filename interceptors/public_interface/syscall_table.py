"""What system calls read and write, in a small language, for programs that make them themselves.

    name  words                word = operation, number of the argument that points, how much

    r before the call it reads      b before the call: it will write here     w it has written
    :144   so many bytes            @2*8  argument 2 times 8                  s    a string
    =*12   result times 12          =<3   the result, at most argument 3
    /1     a byte for each page of argument 1          ^0   as many bits as argument 0 says
    %2     an array of argument 2 pieces (struct iovec), as far as the result goes
    m      a struct msghdr: its pieces and its control data

Arguments count from 0; a null pointer is one that the call does not use.

Source: section 2 of the manual pages, for x86-64; sanitizer/linux_syscall_hooks.h for the names.
"""

from __future__ import annotations

import re
from typing import Final

from irsan.runtime.layout import libc_layout as libc

READ: Final = 1
WRITE: Final = 2

CONSTANT: Final = 0
ARGUMENT: Final = 1
RESULT: Final = 2
STRING: Final = 3
PAGES: Final = 4
BITS: Final = 5
PIECES: Final = 6
MESSAGE: Final = 7
NO_ARGUMENT: Final = 7

_RANGES = """
recvmsg r1:msghdr w1m, sendmsg r1:msghdr, recvmmsg r1@2*mmsghdr w4:timespec, sendmmsg r1@2*mmsghdr,
read b1@2 w1=, time w0:8, stime r0:8, gettimeofday w0:timeval w1:timezone, settimeofday r0:timeval
r1:timezone, adjtimex w0:timex, times w0:tms, nanosleep r0:timespec, getresuid w0:4 w1:4 w2:4,
getresgid w0:4 w1:4 w2:4, getgroups w1=*4, setgroups r1@0*4, acct r0s, capget r0:cap_header
w1:cap_data, capset r0:cap_header r1:cap_data, sigpending w0:8, sigprocmask r1:8 w2:8, getitimer
w1:itimerval, setitimer r1:itimerval w2:itimerval, timer_create r1:sigevent w2:int, timer_gettime
w1:itimerspec, timer_settime r2:itimerspec w3:itimerspec, clock_settime r1:timespec, clock_gettime
w1:timespec, clock_adjtime w1:timex, clock_getres w1:timespec, clock_nanosleep r2:timespec,
sched_setscheduler r2:sched_param, sched_setparam r1:sched_param, sched_getparam w1:sched_param,
sched_setaffinity r2@1, sched_getaffinity w2=, sched_rr_get_interval w1:timespec, kexec_load
r2@1*32, wait4 w1:int w3:rusage, waitid w2:siginfo_t w4:rusage, waitpid w1:int, set_tid_address
w0:4, init_module r0@1 r2s, delete_module r0s, rt_sigprocmask r1@3 w2@3, rt_sigpending w0@1,
rt_sigtimedwait r0@3 r2:timespec w1:siginfo_t, rt_tgsigqueueinfo r3:siginfo_t, rt_sigqueueinfo
r2:siginfo_t, mount r0s r1s r2s, umount r0s, oldumount r0s, truncate r0s, stat r0s w1:32, lstat r0s
w1:32, fstat w1:32, statfs r0s w1:statfs, fstatfs w1:statfs, statfs64 r0s w2:statfs, fstatfs64
w2:statfs, newstat r0s w1:stat, newlstat r0s w1:stat, newfstat w1:stat, ustat w1:32, stat64 r0s,
lstat64 r0s, setxattr r0s r1s r2@3, lsetxattr r0s r1s r2@3, fsetxattr r1s r2@3, getxattr r0s r1s
w2=<3, lgetxattr r0s r1s w2=<3, fgetxattr r1s w2=<3, listxattr r0s w1=<2, llistxattr r0s w1=<2,
flistxattr w1=<2, removexattr r0s r1s, lremovexattr r0s r1s, fremovexattr r1s, mincore w2/1,
pivot_root r0s r1s, chroot r0s, mknod r0s, link r0s r1s, symlink r0s r1s, unlink r0s, rename r0s
r1s, chmod r0s, pipe w0:8, pipe2 w0:8, io_setup b1:8 w1:8, io_getevents r4:timespec w3=*io_event,
io_submit r2@1*8, io_cancel r1:iocb w2:io_event, sendfile w2:8, sendfile64 w2:8, readlink r0s w1=,
creat r0s, open r0s, access r0s, chown r0s, lchown r0s, chown16 r0s, lchown16 r0s, getresuid16 w0:2
w1:2 w2:2, getresgid16 w0:2 w1:2 w2:2, getgroups16 w1=*2, setgroups16 r1@0*2, utime r0s r1:utimbuf,
utimes r0s r1:32, llseek w3:8, readv w1%2, write r1@2, writev r1@2*iovec w1%2, pread64 w1=, pwrite64
r1@2, preadv w1%2, pwritev r1@2*iovec, getcwd w0=, mkdir r0s, chdir r0s, rmdir r0s, lookup_dcookie
w1=, quotactl r1s, getdents w1=, getdents64 w1=, setsockopt r3@4, getsockopt w4:4, bind r1@2,
connect r1@2, accept w2:4, accept4 w2:4, getsockname w2:4, getpeername w2:4, send r1@2, sendto r1@2
r4@5, recv w1=, recvfrom w1= w5:4, socketpair w3:8, poll r0@1*pollfd w0@1*pollfd, ppoll r0@1*pollfd
r2:timespec r3@4 w0@1*pollfd, select w1^0 w2^0 w3^0 w4:timeval, pselect6 r4:timespec w1^0 w2^0 w3^0,
epoll_ctl r3:epoll_event, epoll_wait w1=*epoll_event, epoll_pwait r4@5 w1=*epoll_event, epoll_pwait2
r3:timespec r4@5 w1=*epoll_event, gethostname w0s, sethostname r0@1, setdomainname r0@1, newuname
w0:utsname, uname w0:325, olduname w0:45, getrlimit w1:rlimit, old_getrlimit w1:rlimit, setrlimit
r1:rlimit, prlimit64 r2:rlimit w3:rlimit, getrusage w1:rusage, msgsnd r1@2, msgrcv w1=, semop
r1@2*sembuf, semtimedop r1@2*sembuf r3:timespec, mq_open r0s, mq_unlink r0s, mq_timedsend r1@2
r4:timespec, mq_timedreceive r4:timespec w1= w3:4, mq_notify r1:sigevent, mq_getsetattr r1:mq_attr
w2:mq_attr, swapon r0s, swapoff r0s, sysinfo w0:sysinfo, syslog w1=<2, uselib r0s, add_key r0s r1s
r2@3, request_key r0s r1s r2s, set_mempolicy r1:8, migrate_pages r2:8 r3:8, move_pages r2@1*8 r3@1*4
w4@1*4, mbind r3:8, get_mempolicy w0:4 w1:8, inotify_add_watch r1s, spu_run w1:4 w2:4, spu_create
r0s, mknodat r1s, mkdirat r1s, unlinkat r1s, symlinkat r0s r2s, linkat r1s r3s, renameat r1s r3s,
futimesat r1s r2:32, faccessat r1s, fchmodat r1s, fchmodat2 r1s, fchownat r1s, openat r1s,
newfstatat r1s w2:stat, fstatat64 r1s, readlinkat r1s w2=, utimensat r1s r2:32, splice w1:8 w3:8,
vmsplice r1@2*iovec, getcpu w0:4 w1:4, signalfd r1@2, signalfd4 r1@2, timerfd_settime r2:itimerspec
w3:itimerspec, timerfd_gettime w1:itimerspec, perf_event_open r0:64, process_vm_readv r1@2*iovec
w1%2, process_vm_writev r1@2*iovec, sigaction r1:32 w2:32, rt_sigaction r1:kernel_sigaction
w2:kernel_sigaction, getrandom b0@1 w0=, sigaltstack r0:stack_t b1:stack_t w1:stack_t
"""
_SILENT = """
alarm bdflush brk close dup dup2 dup3 epoll_create epoll_create1 eventfd eventfd2 exit exit_group
fanotify_init fanotify_mark fchdir fchmod fchown fchown16 fcntl fcntl64 fdatasync flock fork
fstat64 fsync ftruncate futex get_robust_list getegid getegid16 geteuid geteuid16 getgid getgid16
getpgid getpgrp getpid getppid getpriority getsid gettid getuid getuid16 inotify_init
inotify_init1 inotify_rm_watch io_destroy ioctl ioperm ioprio_get ioprio_set ipc keyctl kill
listen lseek madvise mlock mlockall mmap_pgoff mprotect mremap msgctl msgget msync munlock
munlockall munmap name_to_handle_at ni_syscall nice old_mmap old_readdir old_select
open_by_handle_at pause pciconfig_iobase pciconfig_read pciconfig_write personality ptrace reboot
remap_file_pages restart_syscall sched_get_priority_max sched_get_priority_min sched_getscheduler
sched_yield semctl semget set_robust_list setfsgid setfsgid16 setfsuid setfsuid16 setgid setgid16
setns setpgid setpriority setregid setregid16 setresgid setresgid16 setresuid setresuid16 setreuid
setreuid16 setsid setuid setuid16 sgetmask shmat shmctl shmdt shmget shutdown signal socket
socketcall ssetmask sync syncfs sysctl sysfs tee tgkill timer_delete timer_getoverrun
timerfd_create tkill umask unshare vfork vhangup
"""
_WORD = re.compile(
    r"([rwb])([0-5])(?:(s|m)|:(\w+)|@([0-5])(?:\*(\w+))?|=(?:\*(\w+))?(?:<([0-5]))?|([/^%])([0-5]))"
)
_LETTER_MODES = {"s": STRING, "m": MESSAGE, "/": PAGES, "^": BITS, "%": PIECES}


def syscall_ranges() -> dict[str, tuple[str, ...]]:
    """Name of a call -> its words; calls that touch nothing have none."""
    rows = [row.split() for row in _RANGES.replace("\n", " ").split(",")]
    return {row[0]: tuple(row[1:]) for row in rows} | dict.fromkeys(_SILENT.split(), ())


def _bytes(text: str) -> int:
    """A number, or the size of a type: its name, or that of a structure without "struct"."""
    if text.isdecimal():
        return int(text)
    try:
        return libc.size(text if text in libc.SIZES else f"struct {text}")
    except KeyError:
        raise ValueError(f"{text} is no type of libc_layout.py") from None


def word_to_number(word: str) -> int:
    """A word as 27 bits: operation | pointer << 2 | mode << 5 | argument << 8 | factor << 11.

    Raises ValueError for an unknown word.
    """
    match = _WORD.fullmatch(word)
    if match is None:
        raise ValueError(f"{word} is no word of the table of system calls")
    operation, pointer, letter, size, counted, item, per_result, limit, sign, by = match.groups()
    mode, argument, factor = RESULT, NO_ARGUMENT, _bytes(per_result or "1")
    if letter or sign:
        mode, argument, factor = _LETTER_MODES[letter or sign], int(by or NO_ARGUMENT), 1
    elif size:
        mode, factor = CONSTANT, _bytes(size)
    elif counted:
        mode, argument, factor = ARGUMENT, int(counted), _bytes(item or "1")
    elif limit:
        argument = int(limit)
    kind = READ if operation == "r" else WRITE
    return kind | int(pointer) << 2 | mode << 5 | argument << 8 | factor << 11


def words_to_constants(words: tuple[str, ...], is_before: bool) -> tuple[int, int]:
    """The words of one side of a call, two numbers in each of two constants."""
    wanted = [word for word in words if (word[0] != "w") is is_before]
    numbers = [word_to_number(word) for word in wanted] + [0] * 4
    return numbers[0] | numbers[1] << 32, numbers[2] | numbers[3] << 32
