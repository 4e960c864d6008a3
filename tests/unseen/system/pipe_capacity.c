// Pipes: capacity, atomic writes of many writers, FIFO files, nonblocking ends, packet mode.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static int ends[2];
static void *write_lines(void *argument) {
    char line[32];
    for (int i = 0; i < 20; i++) {
        int n = snprintf(line, sizeof line, "writer %ld line %02d.....\n", (long)argument, i);
        assert(write(ends[1], line, (size_t)n) == n);
    }
    return NULL;
}
static void *fifo_writer(void *path) {
    int fd = open(path, O_WRONLY);
    assert(fd >= 0 && write(fd, "through the fifo", 16) == 16);
    close(fd);
    return NULL;
}

int main(void) {
    assert(pipe2(ends, O_NONBLOCK) == 0);
    char block[1024];
    memset(block, 'x', sizeof block);
    long total = 0;
    ssize_t n;
    while ((n = write(ends[1], block, sizeof block)) > 0) total += n;
    assert(n == -1 && errno == EAGAIN && total >= PIPE_BUF);
    int waiting;
    assert(ioctl(ends[0], FIONREAD, &waiting) == 0 && waiting == total);
    while ((n = read(ends[0], block, sizeof block)) > 0) total -= n;
    printf("%ld left, %d\n", total, fcntl(ends[0], F_GETPIPE_SZ) >= 4096);
    close(ends[0]), close(ends[1]);

    assert(pipe(ends) == 0);
    pthread_t threads[3];
    for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, write_lines, (void *)i);
    FILE *in = fdopen(ends[0], "r");
    char line[64];
    int next[3] = {0}, lines = 0;
    while (lines < 60 && fgets(line, sizeof line, in)) {
        long id;
        int number;
        assert(sscanf(line, "writer %ld line %d", &id, &number) == 2 && next[id]++ == number);
        lines++;
    }
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    close(ends[1]);
    assert(fgetc(in) == EOF);
    fclose(in);
    printf("%d lines in order\n", lines);

    char path[64];
    snprintf(path, sizeof path, "/tmp/fifo_%d", (int)getpid());
    assert(mkfifo(path, 0600) == 0);
    struct stat info;
    assert(stat(path, &info) == 0 && S_ISFIFO(info.st_mode));
    assert(open(path, O_WRONLY | O_NONBLOCK) == -1 && errno == ENXIO);
    int fd = open(path, O_RDONLY | O_NONBLOCK);
    assert(fd >= 0 && fcntl(fd, F_SETFL, 0) == 0);
    pthread_create(&threads[0], NULL, fifo_writer, path);
    pthread_join(threads[0], NULL);
    char text[17] = "";
    assert(read(fd, text, 16) == 16 && read(fd, text, 0) == 0);
    puts(text);
    close(fd), unlink(path);
    return 0;
}
