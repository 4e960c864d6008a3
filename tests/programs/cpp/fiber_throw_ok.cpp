// EXIT: 0
// NATIVE: skip native prints a warning about its limits
// Exceptions inside of fibers whose stacks are blocks: nothing of what they left is in the way.
#include <stdexcept>
#include <ucontext.h>

static const int stack_bytes = 1 << 17;
static ucontext_t home, fiber;
static volatile int n_caught;

static __attribute__((noinline)) int fail(int depth) {
    volatile char room[50];
    room[depth] = 1;
    if (depth == 0) throw std::runtime_error("deep");
    return fail(depth - 1) + room[depth];
}

static __attribute__((noinline)) int fill() {
    volatile char room[3000];
    for (int i = 0; i < 3000; i++) room[i] = 1;
    return room[n_caught];
}

static void work() {
    for (int i = 0; i < 5; i++) {
        try {
            fail(8);
        } catch (const std::runtime_error &) {
            n_caught = n_caught + 1;
        }
        fill();
        swapcontext(&fiber, &home);
    }
}

int main() {
    char *stack = new char[stack_bytes];
    getcontext(&fiber);
    fiber.uc_stack.ss_sp = stack;
    fiber.uc_stack.ss_size = stack_bytes;
    fiber.uc_link = &home;
    makecontext(&fiber, work, 0);
    for (int i = 0; i < 6; i++) swapcontext(&home, &fiber);
    delete[] stack;
    return n_caught != 5;
}
