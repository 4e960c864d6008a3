// A file is mapped through a descriptor that another thread closes.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
static int file;

static void *mapper(void *unused) {
    void *place = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0); // PREVIOUS: read 8
    return place == MAP_FAILED ? NULL : unused;
}

int main(int argc, char **argv) {
    pthread_t thread;
    file = open(argc > 1 ? argv[1] : "/proc/self/exe", O_RDONLY);
    if (file < 0) return 1;
    pthread_create(&thread, NULL, mapper, NULL);
    sleep(1);
    close(file); // EXPECT: data race write 8
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
