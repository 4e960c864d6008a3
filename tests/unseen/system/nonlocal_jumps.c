// setjmp and longjmp: an error stack, jumps out of handlers, saved masks, many frames.
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct frame {
    jmp_buf where;
    struct frame *outer;
};
static struct frame *top;
static char message[64];

static _Noreturn void fail(const char *text, int code) {
    snprintf(message, sizeof message, "%s (%d)", text, code);
    longjmp(top->where, code);
}

static int parse(const char **at, int depth) {
    char local[64];
    memset(local, depth, sizeof local);
    int sum = 0;
    for (;;) {
        char c = *(*at)++;
        if (c == '(') sum += parse(at, depth + 1);
        else if (c == ')') {
            if (depth == 0) fail("unexpected )", 3);
            return sum;
        } else if (c == 0) {
            if (depth) fail("missing )", depth);
            return sum;
        } else if (c >= '0' && c <= '9') sum += (c - '0') * (local[10] + 1);
        else fail("strange character", c);
    }
}

static int try_parse(const char *text, int *result) {
    struct frame frame = {.outer = top};
    volatile int attempts = 1;
    top = &frame;
    int code = setjmp(frame.where);
    if (code == 0) *result = parse(&text, 0);
    attempts++;
    top = frame.outer;
    assert(attempts == 2);
    return code;
}

static sigjmp_buf escape;
static void on_fault(int number) { siglongjmp(escape, number); }

int main(void) {
    const char *texts[] = {"12(3(4))5", "((1)", "1)", "1x", ""};
    for (int i = 0; i < 5; i++) {
        int result = 0, code = try_parse(texts[i], &result);
        if (code) printf("%d %s\n", code, message);
        else printf("= %d\n", result);
    }
    assert(!top);
    signal(SIGUSR1, on_fault);
    volatile int jumps = 0;
    int number = sigsetjmp(escape, 1);
    sigset_t mask;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    assert(!sigismember(&mask, SIGUSR1));
    if (jumps < 5) {
        jumps++;
        raise(SIGUSR1);
        return 1;
    }
    printf("%d jumps, signal %d\n", jumps, number == SIGUSR1);
    jmp_buf loop;
    volatile long total = 0;
    int n = setjmp(loop);
    total += n;
    if (n < 100) longjmp(loop, n + 1);
    printf("%ld\n", total);
    if (!_setjmp(loop)) _longjmp(loop, 0);
    else puts("zero becomes one");
    return 0;
}
