/* Prints what a program can see of the process that it is. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static void print_descriptors(void) {
    for (int fd = 0; fd < 64; fd++) {
        struct stat status;
        int flags = fcntl(fd, F_GETFD);
        if (flags < 0 || fstat(fd, &status)) continue;
        printf("descriptor %d: %d %o %d %d\n", fd, flags, status.st_mode & S_IFMT,
               fcntl(fd, F_GETFL), isatty(fd));
    }
}

static void print_signals(void) {
    sigset_t blocked;
    sigprocmask(SIG_BLOCK, 0, &blocked);
    for (int number = 1; number < 65; number++) {
        struct sigaction action;
        if (sigaction(number, 0, &action)) continue;
        printf("signal %d: %d %d\n", number, action.sa_handler == SIG_IGN,
               sigismember(&blocked, number));
    }
}

static void print_auxiliary(void) {
    static const int addresses[] = {AT_PHDR, AT_BASE, AT_ENTRY, AT_PLATFORM, AT_RANDOM, AT_EXECFN,
                                    AT_SYSINFO_EHDR};
    for (int kind = 1; kind < 52; kind++) {
        errno = 0;
        unsigned long value = getauxval(kind);
        for (unsigned i = 0; i < sizeof addresses / sizeof *addresses; i++)
            if (addresses[i] == kind) value = value != 0;
        if (!errno) printf("auxiliary %d: %lx\n", kind, value);
    }
}

static void print_surroundings(void) {
    char text[4096], name[17] = "";
    mode_t mask = umask(0);
    printf("umask %o, folder %s\n", mask, getcwd(text, sizeof text) ? text : "gone");
    prctl(PR_GET_NAME, name);
    ssize_t n = readlink("/proc/self/exe", text, sizeof text - 1);
    text[n < 0 ? 0 : n] = 0;
    printf("name %s, executable %s, invoked as %s\n", name, text, program_invocation_name);
    for (int kind = 0; kind < 16; kind++) {
        struct rlimit limit;
        getrlimit(kind, &limit);
        printf("limit %d: %lx %lx\n", kind, (long)limit.rlim_cur, (long)limit.rlim_max);
    }
    time_t day = 86400;
    struct tm parts;
    localtime_r(&day, &parts);
    printf("hour %d %s, nice %d\n", parts.tm_hour, parts.tm_zone, getpriority(PRIO_PROCESS, 0));
    printf("locale %s\n", setlocale(LC_ALL, 0));
    printf("group %d session %d\n", getpgrp() == getpid(), getsid(0) == getpid());
    void *end = sbrk(0), *block = malloc(3 << 20);
    printf("memory %d %d\n", sbrk(4096) == end, block != 0);
    free(block);
}

/* What the system shows of it: its own words, or Python's. */
static void print_way(void) {
    char text[64] = "";
    FILE *file = fopen("/proc/self/cmdline", "r");
    if (file) {
        fread(text, 1, sizeof text - 1, file);
        fclose(file);
    }
    printf("way: %s\n", strstr(text, "python") || strstr(text, "ld-linux") ? "slow" : "fast");
}

int main(int argc, char **argv) {
    printf("arguments %d\n", argc);
    for (int i = 0; i < argc; i++) printf("argument %s\n", argv[i]);
    for (char **one = environ; *one; one++) printf("environment %s\n", *one);
    print_descriptors();
    print_signals();
    print_auxiliary();
    print_surroundings();
    print_way();
    fprintf(stderr, "to standard error\n");
    fflush(stdout);
    if (argc > 1 && !strcmp(argv[1], "again")) {
        if (fork()) return wait(0) < 0;
        execl("/proc/self/exe", "itself", (char *)0);
    }
    if (argc > 1 && !strcmp(argv[1], "waiting")) pause();
    printf("what was not flushed");
    if (argc > 1 && !strcmp(argv[1], "abruptly")) _exit(3);
    return 5;
}
