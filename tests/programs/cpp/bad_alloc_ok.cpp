// What operator new does when it fails: bad_alloc, the new handler, null for the nothrow forms.
// FLAGS: ASAN_OPTIONS=allocator_may_return_null=1
// NATIVE: false-alarm compiler-rt reports out-of-memory where the standard throws
// STDOUT: plain array aligned sized string cleaned
// STDOUT: null null null
// STDOUT: handler 3
#include <cstdio>
#include <new>
#include <string>

static const std::size_t volatile too_big = std::size_t{1} << 45;
static int cleaned;
static int handled;

struct Guard {
    ~Guard() { cleaned++; }
};

struct alignas(64) Wide {
    char bytes[64];
};

static void grow() {
    Guard guard;
    static void *volatile kept;
    kept = ::operator new(too_big);
}

template <class Body> static void refused(const char *name, Body body) {
    try {
        body();
    } catch (const std::bad_alloc &) {
        std::printf("%s ", name);
    }
}

static void give_up() {
    if (++handled == 3) std::set_new_handler(nullptr);
}

int main() {
    void *volatile kept = nullptr;
    refused("plain", grow);
    refused("array", [&] { kept = new char[too_big]; });
    refused("aligned", [&] { kept = new Wide[too_big >> 6]; });
    refused("sized", [&] { kept = ::operator new(too_big, std::align_val_t{128}); });
    refused("string", [] { std::string().reserve(too_big); });
    std::puts(cleaned == 1 ? "cleaned" : "lost");
    kept = new (std::nothrow) char[too_big];
    std::printf("%s ", kept ? "block" : "null");
    kept = ::operator new(too_big, std::nothrow);
    std::printf("%s ", kept ? "block" : "null");
    kept = new (std::nothrow) Wide[too_big >> 6];
    std::printf("%s\n", kept ? "block" : "null");
    std::set_new_handler(give_up);
    try {
        kept = new char[too_big];
    } catch (const std::bad_alloc &) {
        std::printf("handler %d\n", handled);
    }
    return 0;
}
