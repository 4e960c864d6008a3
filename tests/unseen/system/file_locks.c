// Locks on files: flock between descriptors, fcntl records between processes, lockf.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[] = "/tmp/locksXXXXXX";

static int record(int fd, int command, short type, off_t start, off_t size) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = size};
    int result = fcntl(fd, command, &lock);
    return command == F_GETLK && result == 0 ? lock.l_type : result;
}

int main(void) {
    int fd = mkstemp(path), other = open(path, O_RDWR);
    assert(fd >= 0 && other >= 0 && ftruncate(fd, 100) == 0);
    assert(flock(fd, LOCK_SH) == 0 && flock(other, LOCK_SH | LOCK_NB) == 0);
    assert(flock(other, LOCK_EX | LOCK_NB) == -1 && errno == EWOULDBLOCK);
    assert(flock(fd, LOCK_UN) == 0 && flock(other, LOCK_EX | LOCK_NB) == 0);
    flock(other, LOCK_UN);

    assert(record(fd, F_SETLK, F_WRLCK, 10, 20) == 0);
    assert(record(fd, F_GETLK, F_WRLCK, 0, 0) == F_UNLCK);
    int ready[2];
    assert(pipe(ready) == 0);
    pid_t child = fork();
    if (!child) {
        int mine = open(path, O_RDWR), score = 0;
        score += record(mine, F_GETLK, F_WRLCK, 15, 1) == F_WRLCK;
        score += record(mine, F_SETLK, F_RDLCK, 29, 5) == -1;
        score += record(mine, F_SETLK, F_WRLCK, 30, 5) == 0;
        if (write(ready[1], "x", 1) != 1) _exit(99);
        score += record(mine, F_SETLKW, F_WRLCK, 10, 5) == 0;
        char byte = 0;
        score += pread(mine, &byte, 1, 10) == 1 && byte == 'P';
        _exit(score);
    }
    char byte;
    assert(read(ready[0], &byte, 1) == 1);
    assert(pwrite(fd, "P", 1, 10) == 1);
    usleep(10000);
    assert(record(fd, F_SETLK, F_UNLCK, 0, 0) == 0);
    int status;
    assert(waitpid(child, &status, 0) == child);
    printf("%d\n", WEXITSTATUS(status));
    lseek(fd, 0, SEEK_SET);
    assert(lockf(fd, F_TLOCK, 50) == 0 && lockf(fd, F_ULOCK, 50) == 0);
    struct flock open_lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    assert(fcntl(fd, F_OFD_SETLK, &open_lock) == 0);
    assert(fcntl(other, F_OFD_SETLK, &open_lock) == -1);
    close(fd);
    assert(fcntl(other, F_OFD_SETLK, &open_lock) == 0);
    close(other), unlink(path);
    return WEXITSTATUS(status) == 5 ? 0 : 1;
}
