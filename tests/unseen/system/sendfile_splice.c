// Bytes move between descriptors inside the kernel: sendfile, splice, tee, vmsplice, copy_file_range.
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int temporary(void) {
    char path[] = "/tmp/spliceXXXXXX";
    int fd = mkstemp(path);
    assert(fd >= 0);
    unlink(path);
    return fd;
}

static void expect(int fd, const char *want) {
    char text[64] = "";
    assert(read(fd, text, strlen(want)) == (ssize_t)strlen(want));
    assert(!strcmp(text, want));
    puts(text);
}

int main(void) {
    int source = temporary(), target = temporary(), pair[2], ends[2], copy[2];
    assert(write(source, "0123456789abcdefghij", 20) == 20);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && pipe(ends) == 0 && pipe(copy) == 0);

    off_t offset = 4;
    assert(sendfile(pair[0], source, &offset, 6) == 6 && offset == 10);
    expect(pair[1], "456789");
    lseek(source, 15, SEEK_SET);
    assert(sendfile(pair[0], source, NULL, 100) == 5);
    expect(pair[1], "fghij");

    loff_t from = 10;
    assert(splice(source, &from, ends[1], NULL, 4, 0) == 4 && from == 14);
    assert(tee(ends[0], copy[1], 100, 0) == 4);
    expect(copy[0], "abcd");
    assert(splice(ends[0], NULL, target, NULL, 100, SPLICE_F_MOVE) == 4);
    assert(lseek(target, 0, SEEK_SET) == 0);
    expect(target, "abcd");

    char head[] = "gathered ", tail[] = "from memory";
    struct iovec parts[] = {{head, strlen(head)}, {tail, strlen(tail)}};
    assert(vmsplice(ends[1], parts, 2, 0) == 20);
    expect(ends[0], "gathered from memory");

    loff_t in = 0, out = 4;
    ssize_t n = copy_file_range(source, &in, target, &out, 10, 0);
    assert(n == 10);
    lseek(target, 0, SEEK_SET);
    expect(target, "abcd0123456789");

    char a[5] = "", b[4] = "";
    struct iovec scatter[] = {{a, 4}, {b, 3}};
    assert(preadv(source, scatter, 2, 2) == 7);
    printf("%s %s\n", a, b);
    struct iovec gather[] = {{tail, 4}, {head, 3}};
    assert(pwritev(target, gather, 2, 1) == 7 && writev(pair[0], gather, 2) == 7 && readv(pair[1], scatter, 2) == 7);
    printf("%s %s\n", a, b);
    int memory = memfd_create("buffer", MFD_CLOEXEC);
    assert(ftruncate(memory, 100) == 0 && lseek(memory, 0, SEEK_END) == 100);
    return 0;
}
