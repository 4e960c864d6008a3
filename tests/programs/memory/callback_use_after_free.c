// A handler table is freed at shutdown, then one more event is dispatched through it.
#include <stdio.h>
#include <stdlib.h>

typedef int (*handler)(int);

struct handlers {
    handler volatile on_event;
    int calls;
};

static struct handlers *volatile installed;

static int twice(int event) { return 2 * event; }

static int dispatch(int event) {
    handler call = installed->on_event; // EXPECT: heap-use-after-free read 8
    return call ? call(event) : 0;
}

static void shut_down(void) {
    free(installed); // FREED
}

int main(void) {
    struct handlers *handlers = calloc(1, sizeof *handlers); // ALLOCATED
    if (!handlers) return 1;
    handlers->on_event = twice;
    installed = handlers;
    int result = dispatch(4);
    shut_down();
    result += dispatch(5);
    printf("%d\n", result);
    return 0;
}
