// Files and memory: mmap private and shared, mprotect, mremap, msync, madvise, mincore.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char path[] = "/tmp/mmapXXXXXX";
    int fd = mkstemp(path);
    assert(fd >= 0 && ftruncate(fd, (off_t)(3 * page)) == 0);
    char *shared = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    char *private = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    assert(shared != MAP_FAILED && private != MAP_FAILED);
    strcpy(shared + page, "shared text");
    assert(!strcmp(private + page, "shared text"));
    strcpy(private + page, "changed");
    assert(!strcmp(shared + page, "shared text"));
    assert(msync(shared, 3 * page, MS_SYNC) == 0);
    char back[16] = "";
    assert(pread(fd, back, 11, (off_t)page) == 11);
    puts(back);
    assert(pwrite(fd, "X", 1, (off_t)page) == 1 && shared[page] == 'X');

    assert(mprotect(shared, page, PROT_READ) == 0);
    assert(shared[0] == 0);
    int zero = open("/dev/zero", O_RDONLY);
    assert(read(zero, shared, 4) == -1 && errno == EFAULT);
    assert(mprotect(shared, page, PROT_READ | PROT_WRITE) == 0 && read(zero, shared, 4) == 4);
    close(zero);
    munmap(shared, 3 * page), munmap(private, 3 * page);
    close(fd), unlink(path);

    uint32_t *grown = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    size_t n = page / sizeof *grown;
    for (size_t i = 0; i < n; i++) grown[i] = (uint32_t)(i * 2654435761u);
    grown = mremap(grown, page, 64 * page, MREMAP_MAYMOVE);
    assert(grown != MAP_FAILED && grown[n] == 0);
    for (size_t i = 0; i < n; i++) assert(grown[i] == (uint32_t)(i * 2654435761u));
    grown[64 * n - 1] = 5;
    grown = mremap(grown, 64 * page, 2 * page, 0);
    assert(grown != MAP_FAILED && grown[1] == 2654435761u);
    assert(madvise(grown, page, MADV_DONTNEED) == 0 && grown[1] == 0);
    unsigned char resident[2];
    assert(mincore(grown, 2 * page, resident) == 0);
    munmap(grown, 2 * page);
    assert(mincore((void *)(page * 16), page, resident) == -1);

    char *fixed = mmap(NULL, 4 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *middle = mmap(fixed + page, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    assert(middle == fixed + page);
    memset(middle, 7, page);
    printf("%d\n", middle[page - 1]);
    munmap(fixed, 4 * page);
    assert(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED && errno == EINVAL);
    return 0;
}
