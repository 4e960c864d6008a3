// Numbers of pointers that left by tables and messages, that a library's function made which is
// called by pointer, or that stand where libraries have moved them.
// EXIT: 0
// STDOUT: 1 2 3 4 5 6 7 8
// NATIVE: skip no native tool follows pointers
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define UNSEEN __attribute__((noinline, disable_sanitizer_instrumentation))

struct kept {
    long *pointer;
};

static int ends[2];

static struct kept *keep(long value)
{
    struct kept *made = malloc(sizeof *made);
    made->pointer = malloc(sizeof *made->pointer);
    *made->pointer = value;
    return made;
}

__attribute__((noinline)) static long at(uintptr_t number)
{
    return *(long *)(number ^ 1);
}

static long received(void)
{
    uintptr_t number = 0;
    if (read(ends[0], &number, sizeof number) != sizeof number)
        abort();
    return at(number ^ 1);
}

static long by_table(void)
{
    struct iovec table[] = {{"", 0}, {keep(1), sizeof(struct kept)}};
    writev(ends[1], table, 2);
    return received();
}

static long by_message(void)
{
    struct iovec table = {keep(2), sizeof(struct kept)};
    struct msghdr message = {.msg_iov = &table, .msg_iovlen = 1};
    sendmsg(ends[1], &message, 0);
    return received();
}

static long by_messages(void)
{
    struct iovec table = {keep(3), sizeof(struct kept)};
    struct mmsghdr messages[2] = {0};
    messages[1].msg_hdr = (struct msghdr){.msg_iov = &table, .msg_iovlen = 1};
    sendmmsg(ends[1], messages, 2, 0);
    char empty;
    recv(ends[0], &empty, 0, 0); // the first message has no bytes
    return received();
}

static long by_call(int (*volatile print)(char *, size_t, const char *, ...))
{
    char text[40];
    print(text, sizeof text, "%p", (void *)keep(4)->pointer);
    return at(strtoull(text, 0, 16) ^ 1);
}

static long by_copy(void)
{
    struct kept *source = keep(5);
    uintptr_t number;
    memccpy(&number, source, -1, sizeof number);
    return at(number ^ 1);
}

static long by_call_of_copy(void *(*volatile copy)(void *, const void *, size_t))
{
    uintptr_t number;
    copy(&number, keep(6), sizeof number);
    return at(number ^ 1);
}

UNSEEN static uintptr_t number_in(struct kept *one)
{
    return (uintptr_t)one->pointer;
}

static long by_bytes(void)
{
    struct kept *source = keep(8);
    uintptr_t number;
    bcopy(source, &number, sizeof number);
    return at(number ^ 1);
}

int main(void)
{
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends))
        return 1;
    printf("%ld %ld %ld %ld ", by_table(), by_message(), by_messages(), by_call(snprintf));
    printf("%ld %ld ", by_copy(), by_call_of_copy(memcpy));
    printf("%ld %ld\n", at(number_in(keep(7)) ^ 1), by_bytes());
    return 0;
}
