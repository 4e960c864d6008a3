"""Sizes, offsets and constants of the C library and of Linux that the runtime must know.

The one place for them: tests/runtime/layout/test_libc_layout.py has a C compiler print the same
from the headers and compares.  What glibc keeps to itself is compared there by what its functions
do. x86-64, glibc; no numba here.
"""

from __future__ import annotations

from typing import Final

SIZES: Final[dict[str, int]] = {
    "glob_t": 72,
    "int": 4,
    "pthread_attr_t": 56,
    "regex_t": 64,
    "siginfo_t": 128,
    "stack_t": 24,
    "struct addrinfo *": 8,
    "struct cap_data": 12,
    "struct cap_header": 8,
    "struct cmsghdr": 16,
    "struct drand48_data": 24,
    "struct epoll_event": 12,
    "struct ether_addr": 6,
    "struct group": 32,
    "struct hostent": 32,
    "struct ifreq": 40,
    "struct in6_addr": 16,
    "struct in_addr": 4,
    "struct io_event": 32,
    "struct iocb": 64,
    "struct iovec": 16,
    "struct itimerspec": 32,
    "struct itimerval": 32,
    "struct kernel_sigaction": 32,
    "struct kernel_termios": 36,
    "struct mmsghdr": 64,
    "struct mq_attr": 64,
    "struct msghdr": 56,
    "struct passwd": 48,
    "struct pollfd": 8,
    "struct protoent": 24,
    "struct random_data": 48,
    "struct rlimit": 16,
    "struct rtentry": 120,
    "struct rusage": 144,
    "struct sched_param": 4,
    "struct sembuf": 6,
    "struct serial_struct": 72,
    "struct sigaction": 152,
    "struct sigevent": 64,
    "struct stat": 144,
    "struct statfs": 120,
    "struct statvfs": 112,
    "struct statx": 256,
    "struct sysinfo": 112,
    "struct termio": 18,
    "struct termios": 60,
    "struct timespec": 16,
    "struct timeval": 16,
    "struct timex": 208,
    "struct timezone": 8,
    "struct tm": 56,
    "struct tms": 32,
    "struct utimbuf": 16,
    "struct utsname": 390,
    "struct winsize": 8,
    "wordexp_t": 24,
}

OFFSETS: Final[dict[str, int]] = {
    "siginfo_t.si_code": 8,
    "siginfo_t.si_pid": 16,
    "siginfo_t.si_uid": 20,
    "siginfo_t.si_value": 24,
    "struct cmsghdr.cmsg_level": 8,
    "struct cmsghdr.cmsg_type": 12,
    "struct dirent.d_reclen": 16,
    "struct ifconf.ifc_buf": 8,
    "struct ifconf.ifc_len": 0,
    "struct iovec.iov_len": 8,
    "struct mmsghdr.msg_len": 56,
    "struct msghdr.msg_control": 32,
    "struct msghdr.msg_controllen": 40,
    "struct msghdr.msg_flags": 48,
    "struct msghdr.msg_iov": 16,
    "struct msghdr.msg_iovlen": 24,
    "struct msghdr.msg_namelen": 8,
    "struct passwd.pw_dir": 32,
    "struct passwd.pw_gecos": 24,
    "struct passwd.pw_passwd": 8,
    "struct passwd.pw_shell": 40,
    "struct shmid_ds.shm_segsz": 48,
    "struct sigaction.sa_flags": 136,
    "struct sigaction.sa_mask": 8,
    "struct stat.st_atim": 72,
    "struct stat.st_ctim": 104,
    "struct stat.st_mtim": 88,
    "struct timespec.tv_nsec": 8,
    "struct tm.tm_isdst": 32,
    "struct tm.tm_wday": 24,
    "struct tm.tm_yday": 28,
    "ucontext_t.uc_link": 8,
    "ucontext_t.uc_mcontext.gregs[REG_RIP]": 168,
    "ucontext_t.uc_mcontext.gregs[REG_RSP]": 160,
    "ucontext_t.uc_sigmask": 296,
    "ucontext_t.uc_stack.ss_size": 32,
    "ucontext_t.uc_stack.ss_sp": 16,
}

CONSTANTS: Final[dict[str, int]] = {
    "AF_INET": 2,
    "AF_INET6": 10,
    "AF_UNIX": 1,
    "BUFSIZ": 8192,
    "CLOCK_MONOTONIC": 1,
    "CLD_DUMPED": 3,
    "CLOCK_REALTIME": 0,
    "EAGAIN": 11,
    "EBUSY": 16,
    "EDEADLK": 35,
    "EINTR": 4,
    "EINVAL": 22,
    "ENOMEM": 12,
    "ENOTRECOVERABLE": 131,
    "EOVERFLOW": 75,
    "EOWNERDEAD": 130,
    "EPERM": 1,
    "EPOLL_CTL_DEL": 2,
    "ERANGE": 34,
    "ESRCH": 3,
    "ETIMEDOUT": 110,
    "FD_SETSIZE": 1024,
    "FUTEX_CLOCK_REALTIME": 256,
    "FUTEX_REQUEUE": 3,
    "FUTEX_WAIT": 0,
    "FUTEX_WAIT_BITSET": 9,
    "FUTEX_WAKE": 1,
    "FUTEX_WAKE_BITSET": 10,
    "FUTEX_WAKE_OP": 5,
    "IPC_STAT": 2,
    "ITIMER_REAL": 0,
    "MADV_DONTNEED": 4,
    "MAP_ANONYMOUS": 0x20,
    "MAP_FIXED": 0x10,
    "MAP_NORESERVE": 0x4000,
    "MAP_PRIVATE": 2,
    "MREMAP_DONTUNMAP": 4,
    "MREMAP_FIXED": 2,
    "MREMAP_MAYMOVE": 1,
    "MSG_DONTWAIT": 0x40,
    "MSG_ERRQUEUE": 0x2000,
    "MSG_NOSIGNAL": 0x4000,
    "MSG_OOB": 1,
    "MSG_PEEK": 2,
    "MSG_WAITALL": 0x100,
    "MSG_WAITFORONE": 0x1_0000,
    "PIPE_BUF": 4096,
    "POLLERR": 8,
    "POLLRDHUP": 0x2000,
    "PROT_EXEC": 4,
    "PROT_NONE": 0,
    "PROT_WRITE": 2,
    "PR_GET_NAME": 16,
    "PR_SET_NAME": 15,
    "PTHREAD_KEYS_MAX": 1024,
    "PTHREAD_MUTEX_ERRORCHECK": 2,
    "PTHREAD_MUTEX_RECURSIVE": 1,
    "REG_STARTEND": 4,
    "SA_NODEFER": 0x4000_0000,
    "SA_ONSTACK": 0x0800_0000,
    "SA_RESETHAND": 0x8000_0000,
    "SA_RESTART": 0x1000_0000,
    "SA_SIGINFO": 4,
    "SCM_RIGHTS": 1,
    "SEM_VALUE_MAX": 0x7FFF_FFFF,
    "SOCK_STREAM": 1,
    "SOL_SOCKET": 1,
    "SO_DOMAIN": 39,
    "SO_PEERCRED": 17,
    "SO_RCVLOWAT": 18,
    "SO_RCVTIMEO": 20,
    "SO_SNDTIMEO": 21,
    "SO_TYPE": 3,
    "SYS_clock_gettime": 228,
    "SYS_futex": 202,
    "SYS_gettimeofday": 96,
    "SYS_lstat": 6,
    "SYS_newfstatat": 262,
    "SYS_stat": 4,
    "SYS_statx": 332,
    "SYS_time": 201,
    "TIMER_ABSTIME": 1,
    "UIO_MAXIOV": 1024,
    "WNOHANG": 1,
    "WNOWAIT": 0x0100_0000,
    "_IONBF": 2,
}

# struct pthread_attr of glibc's internaltypes.h, behind pthread_attr_t.
ATTR_FLAGS: Final = 8
ATTR_GUARD: Final = 16
ATTR_STACK_END: Final = 24
ATTR_STACK_SIZE: Final = 32
ATTR_HAS_STACK: Final = 8  # of the flags; 1: detached

# What sigset_t holds of its 128 bytes: the C library and the kernel write no more.
SIGNAL_MASK_BYTES: Final = 8
REGEX_FLAGS: Final = 56  # of a regex_t, a byte of bit fields
REGEX_NO_SUB: Final = 16
CONDATTR_CLOCK: Final = 2  # bit 1 of a pthread_condattr_t: CLOCK_MONOTONIC
ROBUST_ATTRIBUTE: Final = 0x4000_0000  # of a pthread_mutexattr_t


def size(name: str) -> int:
    """sizeof."""
    return SIZES[name]


def offset(name: str) -> int:
    """offsetof, of "struct s.member"."""
    return OFFSETS[name]


def constant(name: str) -> int:
    """The value of a macro or enumerator."""
    return CONSTANTS[name]
