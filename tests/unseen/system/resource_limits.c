// Limits and usage: rlimit, prlimit, getrusage, wait4, times, nice, sysconf.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned sink;
static void burn(unsigned n) {
    for (unsigned i = 0; i < n; i++) sink = sink * 31 + i;
}

int main(void) {
    struct rlimit limit, old;
    assert(getrlimit(RLIMIT_NOFILE, &old) == 0 && old.rlim_cur >= 20);
    pid_t child = fork();
    if (!child) {
        limit = (struct rlimit){.rlim_cur = 16, .rlim_max = old.rlim_max};
        if (setrlimit(RLIMIT_NOFILE, &limit)) _exit(90);
        int opened = 0, fd;
        while ((fd = open("/dev/null", O_RDONLY)) >= 0 && fd < 16) opened++;
        _exit(errno == EMFILE && opened <= 13 && opened > 0 ? 0 : 91);
    }
    int status;
    struct rusage usage;
    assert(wait4(child, &status, 0, &usage) == child);
    printf("%d %d\n", WEXITSTATUS(status), usage.ru_maxrss > 0);

    assert(getrlimit(RLIMIT_CORE, &limit) == 0);
    limit.rlim_cur = 0;
    assert(setrlimit(RLIMIT_CORE, &limit) == 0 && prlimit(0, RLIMIT_CORE, NULL, &old) == 0 && old.rlim_cur == 0);
    limit.rlim_cur = 2, limit.rlim_max = 1;
    assert(setrlimit(RLIMIT_CORE, &limit) == -1 && errno == EINVAL);

    child = fork();
    if (!child) {
        signal(SIGXFSZ, SIG_IGN);
        limit = (struct rlimit){1000, 1000};
        setrlimit(RLIMIT_FSIZE, &limit);
        char path[] = "/tmp/limitXXXXXX", block[600] = {0};
        int fd = mkstemp(path);
        unlink(path);
        ssize_t first = write(fd, block, sizeof block), second = write(fd, block, sizeof block), third = write(fd, block, 1);
        _exit(first == 600 && second == 400 && third == -1 && errno == EFBIG ? 5 : 92);
    }
    siginfo_t info = {0};
    assert(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) == 0 && info.si_status == 5);
    assert(waitid(P_PID, (id_t)child, &info, WEXITED) == 0 && info.si_code == CLD_EXITED);
    printf("%d\n", info.si_status);

    burn(200000);
    struct rusage self, children;
    assert(getrusage(RUSAGE_SELF, &self) == 0 && getrusage(RUSAGE_CHILDREN, &children) == 0);
    struct tms ticks;
    assert(times(&ticks) != (clock_t)-1 && ticks.tms_utime >= 0);
    errno = 0;
    int priority = getpriority(PRIO_PROCESS, 0);
    assert(errno == 0);
    printf("%d %d\n", nice(0) == priority, self.ru_utime.tv_sec < 100);
    printf("%d %d %d\n", sysconf(_SC_NPROCESSORS_ONLN) >= 1, sysconf(_SC_OPEN_MAX) >= 20, sysconf(_SC_CLK_TCK) == 100);
    return 0;
}
