/* The first thing that an executable made by irsan-cc runs: it becomes irsan, which runs its IR.
 *
 *   execve(PYTHON, { PYTHON, -E, -c, BOOT, CACHE, /proc/self/exe, argv[0], argv[1] ... }, envp)
 *
 * Nothing of the C library works yet (.preinit_array runs before its constructors), so system calls
 * are made here. IRSAN_NATIVE=1, or privileges of the file (AT_SECURE), leave the program native.
 * IRSAN_PYTHON, IRSAN_BOOT, IRSAN_CACHE and IRSAN_ROOT are strings that the build gives.
 */
#define SYS_write 1
#define SYS_execve 59
#define SYS_exit_group 231
#define SYS_readlink 89
#define AT_SECURE 23
#define UNSUPPORTED 69
#define PATH_BYTES 4096

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

__attribute__((used)) static void irsan_start(int argc, char **argv, char **environment) {
    if (wants_native(environment) || is_privileged(environment)) return;
    char path[PATH_BYTES + 1];
    long n = call3(SYS_readlink, "/proc/self/exe", path, PATH_BYTES);
    if (n <= 0) {
        say("irsan: error: /proc/self/exe cannot be read; IRSAN_NATIVE=1 runs the program natively\n");
        call3(SYS_exit_group, (const void *)UNSUPPORTED, 0, 0);
    }
    path[n] = 0;
    char *words[argc + 9];
    int at = 0;
    words[at++] = (char *)IRSAN_PYTHON;
    words[at++] = (char *)"-E";
    words[at++] = (char *)"-c";
    words[at++] = (char *)IRSAN_BOOT;
    words[at++] = (char *)IRSAN_CACHE;
    words[at++] = path;
    if (argc == 0) words[at++] = path;
    for (int i = 0; i < argc; i++) words[at++] = argv[i];
    words[at] = 0;
    call3(SYS_execve, IRSAN_PYTHON, words, (word)environment);
    say("irsan: error: ");
    say(path);
    say(": was built by the irsan in " IRSAN_ROOT " with " IRSAN_PYTHON
        ", which cannot be started; IRSAN_NATIVE=1 runs the program natively\n");
    call3(SYS_exit_group, (const void *)UNSUPPORTED, 0, 0);
}

__attribute__((section(".preinit_array"), used)) static void (*const irsan_first)(int, char **, char **)
    = irsan_start;
