// operator new throws, its nothrow forms give null, a new handler is asked first.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <new>

struct Wide { alignas(64) char bytes[128]; };
static int handled = 0;
static void *volatile kept;  // or the compiler takes the allocation away

static void help() {
    handled++;
    std::set_new_handler(nullptr);
}

template <class Make> static bool throws(Make make) {
    try {
        make();
    } catch (const std::bad_alloc &) {
        return true;
    }
    return false;
}

int main(int argc, char **argv) {
    int way = argc > 1 ? std::atoi(argv[1]) : 0;
    if (way == 0) { assert(throws([] { kept = new int(1); })); }
    if (way == 1) { assert(throws([] { kept = new int[4]; })); }
    if (way == 2) { assert(throws([] { kept = new Wide; })); }
    if (way == 3) { kept = new (std::nothrow) int(1); assert(kept == nullptr); }
    if (way == 4) { kept = new (std::nothrow) int[4]; assert(kept == nullptr); }
    if (way == 5) {
        std::set_new_handler(help);
        int *made = new int(1);
        kept = made;
        delete made;
        assert(handled == 1);
    }
    if (way == 6) { kept = new (std::nothrow) int; *static_cast<int *>(kept) = 1; }  // the bug
    if (way == 7) { kept = new int(1); }            // the bug: nobody catches
    std::puts("as it should be");
    return 0;
}
