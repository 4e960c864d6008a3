// The twin of callback_use_after_free: shutdown also takes the table away.
// STDOUT: 8
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
    if (!installed) return 0;
    handler call = installed->on_event;
    return call ? call(event) : 0;
}

static void shut_down(void) {
    free(installed);
    installed = NULL;
}

int main(void) {
    struct handlers *handlers = calloc(1, sizeof *handlers);
    if (!handlers) return 1;
    handlers->on_event = twice;
    installed = handlers;
    int result = dispatch(4);
    shut_down();
    result += dispatch(5);
    printf("%d\n", result);
    return 0;
}
