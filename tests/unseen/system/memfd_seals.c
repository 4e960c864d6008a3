// memfd with seals, shared between processes, mapped, executable memory through a second view.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int fd = memfd_create("sealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    assert(fd >= 0 && ftruncate(fd, 8192) == 0);
    char *view = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert(view != MAP_FAILED);
    strcpy(view, "first page");
    strcpy(view + 4096, "second page");
    pid_t child = fork();
    if (!child) {
        char text[16];
        int good = pread(fd, text, 12, 4096) == 12 && !strcmp(text, "second page");
        strcpy(view + 100, "written by the child");
        _exit(good ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert(status == 0);
    puts(view + 100);
    munmap(view, 8192);
    assert(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW) == 0);
    assert((fcntl(fd, F_GET_SEALS) & F_SEAL_WRITE) != 0);
    assert(write(fd, "x", 1) == -1 && errno == EPERM && ftruncate(fd, 10) == -1 && errno == EPERM);
    assert(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED && errno == EPERM);
    view = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    view[0] = 'F';
    puts(view);
    munmap(view, 4096);
    close(fd);

    // A ring whose end is mapped again at its start: the two halves are the same memory.
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    fd = memfd_create("ring", 0);
    assert(ftruncate(fd, (off_t)page) == 0);
    char *ring = mmap(NULL, 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(mmap(ring, page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == ring);
    assert(mmap(ring + page, page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == ring + page);
    close(fd);
    memcpy(ring + page - 6, "wrapped around", 15);
    printf("%s %d\n", ring, memcmp(ring, ring + page, page));
    munmap(ring, 2 * page);

    static const unsigned char code[] = {0x8d, 0x04, 0x37, 0xc3};  // lea eax, [rdi + rsi]; ret
    void *memory = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned char *entry = (unsigned char *)memory + 64;  // what looks in front of a function finds memory
    memcpy(entry, code, sizeof code);
    assert(mprotect(memory, page, PROT_READ | PROT_EXEC) == 0);
    int (*add)(int, int) = (int (*)(int, int))(uintptr_t)entry;
    printf("%d\n", add(40, 2));
    munmap(memory, page);
    return 0;
}
