// errno is the program's: nothing that a check does in between changes it, in any thread.
// STDOUT: 34 7 2
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *set_own(void *argument) {
    errno = 7;
    usleep(100);
    *(int *)argument = errno;
    return NULL;
}

int main(void) {
    pthread_t thread;
    int other = 0;
    strtol("99999999999999999999999", NULL, 10);
    int first = errno;
    pthread_create(&thread, NULL, set_own, &other);
    if (open("/nowhere/at/all", O_RDONLY) >= 0) return 1;
    usleep(200);
    char *name = getenv("PATH"); // a first look at memory of the C library
    int second = name && name[0] ? errno : -1;
    pthread_join(thread, NULL);
    printf("%d %d %d\n", first, other, second);
    return 0;
}
