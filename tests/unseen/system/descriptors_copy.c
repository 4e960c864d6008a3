// Descriptors: dup, dup2, dup3, fcntl, close-on-exec, shared offsets, O_APPEND, pread past the end.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    char path[] = "/tmp/dupXXXXXX";
    int fd = mkostemp(path, O_CLOEXEC);
    assert(fd >= 0 && (fcntl(fd, F_GETFD) & FD_CLOEXEC));
    int copy = dup(fd), high = fcntl(fd, F_DUPFD, 50), exact = dup3(fd, 60, O_CLOEXEC);
    assert(copy > fd && high >= 50 && exact == 60 && !(fcntl(copy, F_GETFD) & FD_CLOEXEC));
    assert(write(fd, "one ", 4) == 4 && write(copy, "two ", 4) == 4 && write(high, "three", 5) == 5);
    assert(lseek(exact, 0, SEEK_CUR) == 13);
    char text[32] = "";
    assert(pread(copy, text, sizeof text, 0) == 13 && pread(copy, text, 4, 100) == 0);
    puts(text);
    int append = open(path, O_WRONLY | O_APPEND), own = open(path, O_RDWR);
    assert(pwrite(own, "X", 1, 0) == 1 && write(append, "!", 1) == 1 && lseek(own, 0, SEEK_END) == 14);
    assert((fcntl(append, F_GETFL) & O_ACCMODE) == O_WRONLY && (fcntl(append, F_GETFL) & O_APPEND));
    assert(read(append, text, 1) == -1 && errno == EBADF && lseek(own, -100, SEEK_SET) == -1 && errno == EINVAL);
    assert(lseek(own, 100, SEEK_SET) == 100 && write(own, "end", 3) == 3);
    struct stat info;
    assert(fstat(own, &info) == 0 && info.st_size == 103 && fsync(own) == 0 && fdatasync(own) == 0);
    memset(text, 1, sizeof text);
    assert(pread(own, text, 5, 98) == 5 && text[0] == 0 && text[2] == 'e');

    fflush(stdout);
    int saved = dup(STDOUT_FILENO);
    assert(ftruncate(own, 0) == 0 && lseek(own, 0, SEEK_SET) == 0 && dup2(own, STDOUT_FILENO) == STDOUT_FILENO);
    puts("into the file");
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        puts("from the child");
        fflush(stdout);
        _exit(fcntl(fd, F_GETFD) >= 0 ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert(status == 0 && dup2(saved, STDOUT_FILENO) == STDOUT_FILENO && close(saved) == 0);
    memset(text, 0, sizeof text);
    assert(pread(own, text, sizeof text - 1, 0) == 29);
    printf("%s", text);
    if (!fork()) {
        char number[8];
        snprintf(number, sizeof number, "%d", fd);
        execl("/bin/sh", "sh", "-c", "test -e /proc/self/fd/$0 && exit 4; exit 5", number, (char *)NULL);
        _exit(6);
    }
    wait(&status);
    printf("%d\n", WEXITSTATUS(status));
    assert(posix_fallocate(own, 0, 4096) == 0 && fstat(own, &info) == 0 && info.st_size == 4096);
    close(fd), close(copy), close(high), close(exact), close(append), close(own);
    assert(close(copy) == -1 && errno == EBADF && dup(copy) == -1 && dup2(-1, 5) == -1);
    return unlink(path);
}
