/* Becomes a saved process: maps what a table says, and goes on where that process was saved.
 *
 *   restore CACHE /path/of/program argv[0] argv[1] ...      started by start.c
 *   restore --machine      writes what is known of this machine
 *   restore --check        status 0 when a program could go on from what is saved
 *
 * It is static, needs no C library and lies where nothing else does (restore.lds), so the saved
 * process's memory takes its own addresses. Pid, descriptors, limits, terminal, signal mask and all
 * else that the kernel knows of the process are those of the program that was started.
 *
 * Whatever is not as it was when the process was saved (a file, the kernel, the processor, a range
 * that is taken, a variable that Python or the dynamic linker reads when it starts) leads to the
 * slow way, at any point: PYTHON -E -c BOOT CACHE /path ...
 *
 * The table's form is that of engine/snapshot/table.py. IRSAN_PYTHON, IRSAN_BOOT and IRSAN_SAVED
 * (the folder of table and pages) are strings that the build gives.
 */
#include "system_calls.h"

typedef unsigned long word;

enum {
    N_REGISTERS = 27, N_CPU = 10, MAX_KEPT = 8, N_SIGNALS = 64, PAGE = 4096,
    ANONYMOUS = 0, OF_FILE = 1, SHARED = 2, GROWS = 4,
    MAX_TABLE = 4 << 20, MAX_MAPS = 1 << 13, MAX_RANGES = 32,
};

struct stamp { word device, inode, size, mtime_s, mtime_ns, ctime_s, ctime_ns; };
struct file { struct stamp stamp; word path; };
struct mapping { word lo, hi, protection, kind, file, offset; };
struct fill { word lo, hi, protection, is_read, offset; };
struct needed { word lo, hi, is_taken; };
struct layout { /* struct prctl_mm_map */
    word start_code, end_code, start_data, end_data, start_brk, brk, start_stack, arg_start, arg_end,
        env_start, env_end, auxv;
    unsigned auxv_size, exe_fd;
};
struct table {
    char magic[8];
    word size, sum;
    struct stamp pages;
    word cpu[N_CPU];
    word kernel; /* text */
    word registers[N_REGISTERS];
    word mailbox, tid, robust_list, robust_size, rseq, rseq_size, rseq_sign, auxv, auxv_size;
    struct layout layout;
    word n_kept;
    struct { word lo, hi; } kept[MAX_KEPT]; /* [vvar] ... [vdso] */
    word n_files, files, n_mappings, mappings, n_fills, fills, n_needed, needed;
};
/* What the saved process finds when it goes on. */
struct mailbox { word is_restored, argc, argv, environment, ignored_signals, lo, hi; };

struct range { word lo, hi; char name[16]; };

extern char restore_lo[], restore_hi[];
static union { struct table head; char bytes[MAX_TABLE]; } saved __attribute__((aligned(PAGE)));
static char maps[MAX_MAPS];
static char kernel_text[400];

/* ---- text */

static word length(const char *text) {
    word n = 0;
    while (text[n]) n++;
    return n;
}

static int starts_with(const char *text, const char *start) {
    while (*start && *text == *start) text++, start++;
    return !*start;
}

static int is_same(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}

static void copy(void *to, const void *from, word n) {
    for (word i = 0; i < n; i++) ((volatile char *)to)[i] = ((const char *)from)[i];
}

/* ---- what must be as it was */

static void ask_cpu(unsigned leaf, unsigned part, unsigned *out) {
    __asm__ volatile("cpuid" : "=a"(out[0]), "=b"(out[1]), "=c"(out[2]), "=d"(out[3])
                     : "0"(leaf), "2"(part));
}

/* Features, not the number of the core nor the model: these differ within one machine. */
static void read_cpu(word *out) {
    unsigned r[4];
    ask_cpu(0, 0, r);
    out[0] = r[1], out[1] = r[2], out[2] = r[3];
    ask_cpu(1, 0, r);
    out[3] = r[2], out[4] = r[3];
    ask_cpu(7, 0, r);
    out[5] = r[1], out[6] = r[2], out[7] = r[3];
    ask_cpu(0x80000001, 0, r);
    out[8] = r[2], out[9] = r[3];
}

static void read_kernel(void) {
    static char fields[6][65];
    word at = 0;
    if (call(SYS_uname, (word)fields, 0, 0, 0, 0, 0)) return;
    for (int i = 2; i < 5; i++) { /* release, version, machine */
        copy(kernel_text + at, fields[i], length(fields[i]));
        at += length(fields[i]);
        kernel_text[at++] = '\n';
    }
    kernel_text[at] = 0;
}

/* The time of any change is not asked: making a hard link, as installers do, sets it too. */
static int is_same_file(const struct status *now, const struct stamp *then) {
    return now->device == then->device && now->inode == then->inode && now->size == then->size
        && now->mtime_s == then->mtime_s && now->mtime_ns == then->mtime_ns;
}

/* Whether nobody has touched a file since. */
static int is_untouched(const struct status *now, const struct stamp *then) {
    return is_same_file(now, then) && now->ctime_s == then->ctime_s
        && now->ctime_ns == then->ctime_ns;
}

/* Opens a file that is this user's alone; -1 for any other. */
static long open_own(const char *path, struct status *status) {
    long file = call(SYS_open, (word)path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0, 0, 0, 0);
    if (file < 0) return -1;
    int is_own = !call(SYS_fstat, file, (word)status, 0, 0, 0, 0)
        && (status->mode & S_IFMT) == S_IFREG && !(status->mode & OTHERS_WRITE)
        && status->user == (unsigned)call(SYS_geteuid, 0, 0, 0, 0, 0, 0);
    if (is_own) return file;
    call(SYS_close, file, 0, 0, 0, 0, 0);
    return -1;
}

static word sum_of(const char *bytes, word n) {
    word sum = 0xcbf29ce484222325;
    for (word i = 0; i + 8 <= n; i += 8) {
        sum = (sum ^ *(const word *)(bytes + i)) * 0x9e3779b97f4a7c15;
        sum ^= sum >> 29;
    }
    return sum;
}

static int read_table(void) {
    struct status status;
    long file = open_own(IRSAN_SAVED "/table", &status);
    if (file < 0) return 0;
    long n = 0, more = 1;
    while (more > 0 && n < MAX_TABLE) {
        more = call(SYS_read, file, (word)saved.bytes + n, MAX_TABLE - n, 0, 0, 0);
        if (more > 0) n += more;
    }
    call(SYS_utimensat, file, 0, 0, 0, 0, 0); /* used now: the cache is pruned by that time */
    call(SYS_close, file, 0, 0, 0, 0, 0);
    const word head = __builtin_offsetof(struct table, pages);
    return n >= (long)sizeof(struct table) && starts_with(saved.head.magic, IRSAN_FORMAT)
        && saved.head.size == (word)n && saved.head.sum == sum_of(saved.bytes + head, n - head);
}

static int is_machine_same(void) {
    word cpu[N_CPU];
    read_cpu(cpu);
    for (int i = 0; i < N_CPU; i++)
        if (cpu[i] != saved.head.cpu[i]) return 0;
    read_kernel();
    return is_same(kernel_text, saved.bytes + saved.head.kernel);
}

static int are_files_same(void) {
    const struct file *files = (struct file *)(saved.bytes + saved.head.files);
    struct status status;
    for (word i = 0; i < saved.head.n_files; i++)
        if (call(SYS_stat, (word)saved.bytes + files[i].path, (word)&status, 0, 0, 0, 0)
            || !is_same_file(&status, &files[i].stamp))
            return 0;
    return 1;
}

/* ---- the environment */

static const char *variable(char **environment, const char *name) {
    for (; *environment; environment++)
        if (starts_with(*environment, name) && (*environment)[length(name)] == '=')
            return *environment + length(name) + 1;
    return "";
}

/* Whether a variable preloads glibc's own library that checks malloc alone, which has no part in a
   process that goes on from a saved one, and none in what is checked: session.py. */
static int is_malloc_debug(const char *one) {
    static const char start[] = "LD_PRELOAD=libc_malloc_debug.so.";
    if (!starts_with(one, start)) return 0;
    one += sizeof start - 1;
    while (*one >= '0' && *one <= '9') one++;
    return !*one;
}

static int is_off(const char *value) { return is_same(value, "off") || is_same(value, "0"); }

/* Whether nothing in the environment is read by what has been done before the process was saved.
   Left out are words that matter to this process's own work only, as they would to any Python: the
   C library's for its malloc, which the program's memory does not come from (test suites set
   MALLOC_PERTURB_), and those for threads of libraries that have not started any. */
static int is_plain(char **environment) {
    static const char *const early[] = {
        "LD_", "IRSAN_LAYOUT_SHIFT=", "IRSAN_LINK_ONLY_KERNELS=", "NUMBA_", 0,
    };
    if (is_off(variable(environment, "IRSAN_SNAPSHOT"))) return 0;
    if (is_off(variable(environment, "IRSAN_HOST"))) return 0;
    for (; *environment; environment++)
        for (int i = 0; early[i]; i++)
            if (starts_with(*environment, early[i]) && !starts_with(*environment, "LD_LIBRARY_PATH=")
                && !starts_with(*environment, "LD_RUN_PATH=") && !is_malloc_debug(*environment))
                return 0;
    return 1;
}

/* ---- memory */

static long map(word lo, word size, word protection, word flags, long file, word offset) {
    return call(SYS_mmap, lo, size, protection, flags, file, offset);
}

static const char *read_hex(const char *at, word *out) {
    for (*out = 0;; at++) {
        if (*at >= '0' && *at <= '9') *out = *out * 16 + *at - '0';
        else if (*at >= 'a' && *at <= 'f') *out = *out * 16 + *at - 'a' + 10;
        else return at;
    }
}

/* This process's own mappings; their number, 0 when they cannot be told. */
static word read_ranges(struct range *out, word room) {
    long file = call(SYS_open, (word)"/proc/self/maps", O_RDONLY | O_CLOEXEC, 0, 0, 0, 0), n = 0, more;
    if (file < 0) return 0;
    while ((more = call(SYS_read, file, (word)maps + n, MAX_MAPS - 1 - n, 0, 0, 0)) > 0) n += more;
    call(SYS_close, file, 0, 0, 0, 0, 0);
    maps[n] = 0;
    word count = 0;
    for (const char *at = maps; *at && count < room; count++) {
        at = read_hex(at, &out[count].lo);
        at = read_hex(at + 1, &out[count].hi);
        const char *name = "";
        for (; *at && *at != '\n'; at++)
            if (*at == '[') name = at;
        word n_name = 0;
        while (*name && *name != '\n' && n_name < 15) out[count].name[n_name++] = *name++;
        out[count].name[n_name] = 0;
        if (*at) at++;
    }
    return count < room ? count : 0;
}

/* Whether a range is free of what the table maps, or puts there. */
static int is_free(word lo, word hi) {
    const struct mapping *mappings = (struct mapping *)(saved.bytes + saved.head.mappings);
    for (word i = 0; i < saved.head.n_mappings; i++)
        if (lo < mappings[i].hi && mappings[i].lo < hi) return 0;
    for (word i = 0; i < saved.head.n_kept; i++)
        if (lo < saved.head.kept[i].hi && saved.head.kept[i].lo < hi) return 0;
    return 1;
}

/* Whether this process's own mappings leave the saved one's places free; notes the kernel's. */
static int has_room(struct range *kept) {
    struct range now[MAX_RANGES];
    word n = read_ranges(now, MAX_RANGES), n_kept = 0;
    for (word i = 0; i < n; i++) {
        if (starts_with(now[i].name, "[vsyscall")) continue;
        if (!is_free(now[i].lo, now[i].hi)) return 0;
        if (!starts_with(now[i].name, "[vvar") && !starts_with(now[i].name, "[vdso")) continue;
        if (n_kept == saved.head.n_kept) return 0;
        word size = saved.head.kept[n_kept].hi - saved.head.kept[n_kept].lo;
        if (now[i].hi - now[i].lo != size) return 0;
        kept[n_kept++] = now[i];
    }
    return n && n_kept == saved.head.n_kept;
}

/* Moves what the kernel gives each process to where the saved one had it. */
static int move_kept(const struct range *kept) {
    for (word i = 0; i < saved.head.n_kept; i++) {
        word size = kept[i].hi - kept[i].lo, lo = saved.head.kept[i].lo;
        long got = call(SYS_mremap, kept[i].lo, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, lo, 0);
        if (got != (long)lo) return 0;
    }
    return 1;
}

static int map_all(void) {
    const struct mapping *one = (struct mapping *)(saved.bytes + saved.head.mappings);
    const struct file *files = (struct file *)(saved.bytes + saved.head.files);
    const char *open_path = 0;
    long file = -1;
    for (word i = 0; i < saved.head.n_mappings; i++, one++) {
        word flags = MAP_FIXED_NOREPLACE | (one->kind & SHARED ? MAP_SHARED : MAP_PRIVATE);
        if (one->kind & OF_FILE) {
            const char *path = saved.bytes + files[one->file].path;
            if (path != open_path) {
                if (file >= 0) call(SYS_close, file, 0, 0, 0, 0, 0);
                file = call(SYS_open, (word)path, O_RDONLY | O_CLOEXEC, 0, 0, 0, 0);
                open_path = path;
            }
            if (file < 0) return 0;
        } else {
            flags |= MAP_ANONYMOUS | MAP_NORESERVE | (one->kind & GROWS ? MAP_GROWSDOWN : 0);
        }
        long got = map(one->lo, one->hi - one->lo, one->protection, flags,
                       one->kind & OF_FILE ? file : -1, one->offset);
        if (got != (long)one->lo) return 0;
    }
    if (file >= 0) call(SYS_close, file, 0, 0, 0, 0, 0);
    return 1;
}

static int fill_all(long pages) {
    const struct fill *one = (struct fill *)(saved.bytes + saved.head.fills);
    for (word i = 0; i < saved.head.n_fills; i++, one++) {
        long size = one->hi - one->lo, got;
        if (one->is_read)
            got = call(SYS_pread, pages, one->lo, size, one->offset, 0, 0) == size ? (long)one->lo : -1;
        else
            got = map(one->lo, size, one->protection, MAP_FIXED | MAP_PRIVATE, pages, one->offset);
        if (got != (long)one->lo) return 0;
    }
    return 1;
}

/* Makes pages this process's own; before Linux 5.14 by a write to each that changes nothing. */
static void take(word lo, word hi) {
    if (!call(SYS_madvise, lo, hi - lo, MADV_POPULATE_WRITE, 0, 0, 0)) return;
    for (word at = lo; at < hi; at += PAGE)
        __asm__ volatile("lock orb $0, %0" : "+m"(*(char *)at));
}

/* Sees to it that reading a page that each run needs does not make the kernel map fifteen others
   around it, which nobody needs: those that are written are taken now, all of a range in one call,
   which takes less time than a fault for each; the others become mappings of their own, as their
   neighbours would be in a core dump. */
static void take_needed(void) {
    const struct needed *one = (struct needed *)(saved.bytes + saved.head.needed);
    for (word i = 0; i < saved.head.n_needed; i++, one++)
        if (one->is_taken) take(one->lo, one->hi);
        else call(SYS_madvise, one->lo, one->hi - one->lo, MADV_DONTDUMP, 0, 0, 0);
}

/* ---- what the kernel knows of the process */

static word ignored_signals(void) {
    word action[4], found = 0;
    for (word number = 1; number <= N_SIGNALS; number++)
        if (!call(SYS_sigaction, number, 0, (word)action, 8, 0, 0) && action[0] == SIG_IGN)
            found |= 1ul << (number - 1);
    return found;
}

static word *auxiliary(char **environment) {
    while (*environment) environment++;
    return (word *)(environment + 1);
}

/* The saved vector, which the C library reads, with this process's user. */
static void renew_auxiliary(const word *now) {
    for (word *pair = (word *)saved.head.auxv; *pair; pair += 2) {
        if (*pair < AT_UID || *pair > AT_EGID) continue;
        for (const word *own = now; *own; own += 2)
            if (*own == *pair) pair[1] = own[1];
    }
}

static int tell_kernel(char **argv, char **environment) {
    struct layout layout = saved.head.layout;
    char **end = argv;
    while (*end) end++;
    layout.arg_start = (word)argv[0];
    layout.arg_end = (word)end[-1] + length(end[-1]) + 1;
    layout.env_start = layout.env_end = layout.arg_end;
    for (char **one = environment; *one; one++) {
        if (one == environment) layout.env_start = (word)*one;
        layout.env_end = (word)*one + length(*one) + 1;
    }
    layout.auxv = saved.head.auxv;
    layout.auxv_size = saved.head.auxv_size;
    layout.exe_fd = -1;
    return !call(SYS_prctl, PR_SET_MM, PR_SET_MM_MAP, (word)&layout, sizeof layout, 0, 0);
}

__attribute__((noreturn)) static void jump(const word *registers) {
    __asm__ volatile(
        "mov 0(%0), %%r15\n\tmov 8(%0), %%r14\n\tmov 16(%0), %%r13\n\tmov 24(%0), %%r12\n\t"
        "mov 32(%0), %%rbp\n\tmov 40(%0), %%rbx\n\tmov 56(%0), %%r10\n\tmov 64(%0), %%r9\n\t"
        "mov 72(%0), %%r8\n\tmov 80(%0), %%rax\n\tmov 96(%0), %%rdx\n\tmov 104(%0), %%rsi\n\t"
        "mov 128(%0), %%rcx\n\tmov 152(%0), %%rsp\n\tmov 112(%0), %%rdi\n\tjmp *%%rcx"
        : : "D"(registers) : "memory");
    __builtin_unreachable();
}

static void go_on(char **argv, char **environment) {
    struct table *head = &saved.head;
    struct mailbox *mailbox = (struct mailbox *)head->mailbox;
    word argc = 0;
    while (argv[argc]) argc++;
    *mailbox = (struct mailbox){
        1, argc, (word)argv, (word)environment, ignored_signals(), (word)restore_lo, (word)restore_hi,
    };
    renew_auxiliary(auxiliary(environment));
    *(unsigned *)head->tid = call(SYS_set_tid_address, head->tid, 0, 0, 0, 0, 0);
    call(SYS_set_robust_list, head->robust_list, head->robust_size, 0, 0, 0, 0);
    if (call(SYS_arch_prctl, ARCH_SET_FS, head->registers[21], 0, 0, 0, 0)) return;
    if (head->rseq) call(SYS_rseq, head->rseq, head->rseq_size, 0, head->rseq_sign, 0, 0);
    jump(head->registers);
}

/* ---- entry */

/* The file of pages, when everything is as it was; -1 when not. */
static long open_pages(void) {
    struct status status;
    if (!read_table() || !is_machine_same()) return -1;
    long pages = open_own(IRSAN_SAVED "/pages", &status);
    return pages >= 0 && is_untouched(&status, &saved.head.pages) && are_files_same() ? pages : -1;
}

static void restore(char **argv, char **environment) {
    struct range kept[MAX_KEPT];
    if (!is_plain(environment)) return;
    long pages = open_pages();
    if (pages < 0) return;
    if (!has_room(kept) || !map_all() || !fill_all(pages) || !move_kept(kept)) return;
    call(SYS_close, pages, 0, 0, 0, 0, 0);
    take_needed();
    if (tell_kernel(argv + 2, environment)) go_on(argv, environment);
}

static void start_python(int argc, char **argv, char **environment) {
    char *words[argc + 5];
    int at = 0;
    words[at++] = (char *)IRSAN_PYTHON;
    words[at++] = (char *)"-E";
    words[at++] = (char *)"-c";
    words[at++] = (char *)IRSAN_BOOT;
    for (int i = 1; i < argc; i++) words[at++] = argv[i];
    words[at] = 0;
    call(SYS_execve, (word)IRSAN_PYTHON, (word)words, (word)environment, 0, 0, 0);
    static const char text[] = "irsan: error: " IRSAN_PYTHON " cannot be started\n";
    call(SYS_write, 2, (word)text, sizeof text - 1, 0, 0, 0);
}

static void tell_machine(void) {
    word cpu[N_CPU];
    read_cpu(cpu);
    read_kernel();
    call(SYS_write, 1, (word)cpu, sizeof cpu, 0, 0, 0);
    call(SYS_write, 1, (word)kernel_text, length(kernel_text), 0, 0, 0);
}

__attribute__((used)) void restore_main(word *stack) {
    int argc = (int)stack[0];
    char **argv = (char **)(stack + 1), **environment = argv + argc + 1;
    if (argc == 2) {
        int is_check = is_same(argv[1], "--check");
        if (!is_check) tell_machine();
        call(SYS_exit_group, is_check && open_pages() < 0, 0, 0, 0, 0, 0);
    }
    restore(argv + 1, environment);
    start_python(argc, argv, environment);
    call(SYS_exit_group, UNSUPPORTED, 0, 0, 0, 0, 0);
}

__asm__(".globl _start\n_start:\n\tmov %rsp, %rdi\n\tand $-16, %rsp\n\tcall restore_main\n\thlt\n");
