// A file is mapped, its descriptor closed by another thread that knows, and the mapping still read.
// STDOUT: 127 E
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
static int file;

static void *mapper(void *unused) {
    (void)unused;
    return mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0);
}

int main(void) {
    pthread_t thread;
    void *place;
    file = open("/proc/self/exe", O_RDONLY);
    if (file < 0) return 1;
    pthread_create(&thread, NULL, mapper, NULL);
    pthread_join(thread, &place);
    close(file);
    if (place == MAP_FAILED) return 1;
    printf("%d %c\n", ((char *)place)[0], ((char *)place)[1]);
    return 0;
}
