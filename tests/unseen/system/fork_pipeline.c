// Three processes in a pipeline: numbers, squares, a sum; each status is collected.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void produce(int out) {
    for (int i = 1; i <= 50; i++)
        if (write(out, &i, sizeof i) != sizeof i) _exit(2);
    _exit(0);
}

static void square(int in, int out) {
    int value;
    while (read(in, &value, sizeof value) == sizeof value) {
        long result = (long)value * value;
        if (write(out, &result, sizeof result) != sizeof result) _exit(3);
    }
    _exit(7);
}

int main(void) {
    int first[2], second[2];
    if (pipe(first) || pipe(second)) return 1;
    pid_t producer = fork();
    if (!producer) {
        close(first[0]), close(second[0]), close(second[1]);
        produce(first[1]);
    }
    pid_t worker = fork();
    if (!worker) {
        close(first[1]), close(second[0]);
        square(first[0], second[1]);
    }
    close(first[0]), close(first[1]), close(second[1]);
    long value, sum = 0;
    int count = 0;
    ssize_t n;
    while ((n = read(second[0], &value, sizeof value)) == sizeof value) sum += value, count++;
    assert(n == 0);
    int status;
    assert(waitpid(producer, &status, 0) == producer && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert(waitpid(worker, &status, 0) == worker && WEXITSTATUS(status) == 7);
    assert(waitpid(-1, &status, 0) == -1);
    printf("%d squares, sum %ld\n", count, sum);
    return sum == 42925 ? 0 : 1;
}
