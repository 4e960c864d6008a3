// Files are as old as the program's own calendar says, and times that it sets are kept.
// STDOUT: new 1, unchanged 1, younger by 100 s 1
// STDOUT: set 1000000000 1000000001
// STDOUT: now 1, by descriptor 1 5
// STDOUT: statx 1, folder 1
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

static char folder[] = "/tmp/agesXXXXXX", name[64];
static struct stat found;

static struct timespec put(const char *text) {
    FILE *file = fopen(name, "w");
    fputs(text, file);
    fclose(file);
    stat(name, &found);
    return found.st_mtim;
}

static int is_now(time_t stamp) {
    return time(NULL) >= stamp && time(NULL) - stamp <= 1;
}

int main(void) {
    if (!mkdtemp(folder)) return 1;
    snprintf(name, sizeof name, "%s/file", folder);
    struct timespec first = put("a");
    int is_new = is_now(first.tv_sec);
    sleep(100);
    stat(name, &found);
    int is_same = memcmp(&first, &found.st_mtim, sizeof first) == 0;
    long younger = put("b").tv_sec - first.tv_sec;
    printf("new %d, unchanged %d, younger by 100 s %d\n", is_new, is_same,
           younger >= 99 && younger <= 101);
    struct utimbuf both = {1000000000, 1000000001};
    utime(name, &both);
    stat(name, &found);
    printf("set %ld %ld\n", (long)found.st_atime, (long)found.st_mtime);
    utime(name, NULL);
    stat(name, &found);
    int touched = is_now(found.st_mtime);
    struct timespec set[2] = {{0, UTIME_OMIT}, {time(NULL) - 50, 5}};
    int file = open(name, O_RDONLY);
    futimens(file, set);
    fstat(file, &found);
    close(file);
    printf("now %d, by descriptor %d %ld\n", touched, found.st_mtime == set[1].tv_sec,
           found.st_mtim.tv_nsec);
    struct statx more;
    statx(AT_FDCWD, name, 0, STATX_ALL, &more);
    sleep(10);
    unlink(name);
    stat(folder, &found);
    printf("statx %d, folder %d\n", more.stx_mtime.tv_sec == set[1].tv_sec, is_now(found.st_mtime));
    rmdir(folder);
    return 0;
}
