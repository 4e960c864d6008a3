// What is never short: messages, small writes into pipes, eventfd. Clean whatever is injected.
#include <assert.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    int pair[2], ends[2], event = eventfd(0, 0);
    char text[32] = "whole";
    unsigned long one = 1;
    assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0 && pipe(ends) == 0);
    for (int i = 0; i < 50; i++) {
        assert(send(pair[0], text, 32, 0) == 32);
        assert(recv(pair[1], text, 32, 0) == 32);
        assert(write(ends[1], text, 32) == 32);
        for (int n = 0; n < 32;)
            n += read(ends[0], text, 32 - n);
        assert(write(event, &one, 8) == 8);
        assert(read(event, &one, 8) == 8 && one == 1);
    }
    return 0;
}
