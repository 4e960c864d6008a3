// Processes count in one file under a lock, and a watcher reads what the last one wrote.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char path[] = "/tmp/counterXXXXXX";

static long next_number(int fd) {
    char text[32] = "";
    while (flock(fd, LOCK_EX)) assert(errno == EINTR);
    ssize_t n = pread(fd, text, sizeof text - 1, 0);
    assert(n >= 0);
    long number = strtol(text, NULL, 10) + 1;
    int size = snprintf(text, sizeof text, "%ld\n", number);
    assert(pwrite(fd, text, (size_t)size, 0) == size);
    assert(flock(fd, LOCK_UN) == 0);
    return number;
}

static void count(int times, int report) {
    int fd = open(path, O_RDWR | O_CLOEXEC);
    long last = 0;
    for (int i = 0; i < times; i++) {
        long number = next_number(fd);
        if (number <= last) _exit(1);
        last = number;
        struct timespec brief = {0, 100000};
        nanosleep(&brief, NULL);
    }
    close(fd);
    if (write(report, &last, sizeof last) != sizeof last) _exit(2);
    _exit(0);
}

int main(void) {
    enum { CHILDREN = 4, TIMES = 15 };
    int fd = mkstemp(path), ends[2];
    assert(fd >= 0 && pipe(ends) == 0);
    pid_t children[CHILDREN];
    for (int i = 0; i < CHILDREN; i++) {
        children[i] = fork();
        assert(children[i] >= 0);
        if (!children[i]) count(TIMES, ends[1]);
    }
    close(ends[1]);
    long highest = 0, last;
    int reports = 0;
    while (read(ends[0], &last, sizeof last) == sizeof last) {
        if (last > highest) highest = last;
        reports++;
    }
    for (int i = 0; i < CHILDREN; i++) {
        int status;
        assert(waitpid(children[i], &status, 0) == children[i] && status == 0);
    }
    struct stat info;
    assert(fstat(fd, &info) == 0 && info.st_size == 3);
    printf("%d reports, highest %ld, next %ld\n", reports, highest, next_number(fd));
    close(fd), close(ends[0]);
    return unlink(path);
}
