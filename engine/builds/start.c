/* The first thing that an executable made by irsan-cc runs: it becomes irsan, which runs its IR.
 *
 *   execve(RESTORE, { RESTORE, CACHE, /proc/self/exe, argv[0], argv[1] ... }, envp)
 *   execve(PYTHON, { PYTHON, -E, -c, BOOT, CACHE, /proc/self/exe, argv[0], argv[1] ... }, envp)
 *
 * The first goes on from a saved process (engine/snapshot), or does the second itself; it lies in the
 * cache, which nobody else may write.
 *
 * Nothing of the C library works yet (.preinit_array runs before its constructors), so system calls
 * are made here. IRSAN_NATIVE=1, or privileges of the file (AT_SECURE), leave the program native.
 * IRSAN_PYTHON, IRSAN_BOOT, IRSAN_CACHE, IRSAN_VERSION, IRSAN_RESTORE and IRSAN_ROOT are strings that
 * the build gives.
 */
#define SYS_write 1
#define SYS_open 2
#define SYS_stat 4
#define SYS_lstat 6
#define SYS_geteuid 107
#define SYS_execve 59
#define SYS_exit_group 231
#define SYS_readlink 89
#define AT_SECURE 23
#define UNSUPPORTED 69
#define PATH_BYTES 4096
#define OTHERS_WRITE 022

typedef unsigned long word;

static long call3(long number, const void *a, const void *b, word c) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "0"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
}

static word length(const char *text) {
    word n = 0;
    while (text[n]) n++;
    return n;
}

static void say(const char *text) { call3(SYS_write, (const void *)2, text, length(text)); }

/* "/proc/self/fd/N" of a file that has no name any more; its descriptor is left open for irsan. */
static int by_descriptor(char *path, word n) {
    static const char gone[] = " (deleted)", stem[] = "/proc/self/fd/";
    word at = sizeof gone - 1, digits = 1;
    if (n < at) return 1;
    for (word i = 0; i < at; i++)
        if (path[n - at + i] != gone[i]) return 1;
    long file = call3(SYS_open, "/proc/self/exe", 0, 0);
    if (file < 0) return 0;
    for (at = 0; stem[at]; at++) path[at] = stem[at];
    for (long rest = file; rest >= 10; rest /= 10) digits++;
    path[at + digits] = 0;
    for (; digits > 0; digits--, file /= 10) path[at + digits - 1] = (char)('0' + file % 10);
    return 1;
}

static int wants_native(char **environment) {
    static const char name[] = "IRSAN_NATIVE=";
    for (; *environment; environment++) {
        word n = 0;
        while (name[n] && (*environment)[n] == name[n]) n++;
        if (!name[n]) return (*environment)[n] && !((*environment)[n] == '0' && !(*environment)[n + 1]);
    }
    return 0;
}

static int is_privileged(char **environment) {
    while (*environment) environment++;
    for (word *pair = (word *)(environment + 1); *pair; pair += 2)
        if (*pair == AT_SECURE) return pair[1] != 0;
    return 0;
}

struct status { /* struct stat */
    word device, inode, links;
    unsigned mode, user, group, padding;
    word rest[14];
};

/* Whether a path leads to something of this user that nobody else may write. */
static int is_own(const char *path) {
    struct status link, behind;
    unsigned me = (unsigned)call3(SYS_geteuid, 0, 0, 0);
    return !call3(SYS_lstat, path, &link, 0) && !call3(SYS_stat, path, &behind, 0)
        && link.user == me && behind.user == me && !(behind.mode & OTHERS_WRITE);
}

static int may_restore(void) {
    return is_own(IRSAN_CACHE) && is_own(IRSAN_CACHE "/" IRSAN_VERSION) && is_own(IRSAN_RESTORE);
}

__attribute__((used)) static void irsan_start(int argc, char **argv, char **environment) {
    if (wants_native(environment) || is_privileged(environment)) return;
    char path[PATH_BYTES + 1];
    long n = call3(SYS_readlink, "/proc/self/exe", path, PATH_BYTES);
    if (n <= 0) {
        say("irsan: error: /proc/self/exe cannot be read; IRSAN_NATIVE=1 runs the program natively\n");
        call3(SYS_exit_group, (const void *)UNSUPPORTED, 0, 0);
    }
    path[n] = 0;
    if (!by_descriptor(path, (word)n)) {
        say("irsan: error: a deleted program cannot be read; IRSAN_NATIVE=1 runs it natively\n");
        call3(SYS_exit_group, (const void *)UNSUPPORTED, 0, 0);
    }
    char *words[argc + 9];
    int at = 0;
    words[at++] = (char *)IRSAN_PYTHON;
    words[at++] = (char *)"-E";
    words[at++] = (char *)"-Xutf8"; /* whatever the locale: bytes stay as they are */
    words[at++] = (char *)"-c";
    words[at++] = (char *)IRSAN_BOOT;
    words[at++] = (char *)IRSAN_CACHE;
    words[at++] = path;
    if (argc == 0) words[at++] = path;
    for (int i = 0; i < argc; i++) words[at++] = argv[i];
    words[at] = 0;
    if (may_restore()) {
        words[4] = (char *)IRSAN_RESTORE;
        call3(SYS_execve, IRSAN_RESTORE, words + 4, (word)environment);
        words[4] = (char *)IRSAN_BOOT;
    }
    call3(SYS_execve, IRSAN_PYTHON, words, (word)environment);
    say("irsan: error: ");
    say(path);
    say(": was built by the irsan in " IRSAN_ROOT " with " IRSAN_PYTHON
        ", which cannot be started; IRSAN_NATIVE=1 runs the program natively\n");
    call3(SYS_exit_group, (const void *)UNSUPPORTED, 0, 0);
}

__attribute__((section(".preinit_array"), used)) static void (*const irsan_first)(int, char **, char **)
    = irsan_start;
