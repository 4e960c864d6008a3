// EXIT: 0
// NATIVE: skip the hook comes with the address run-time, other builds free at once
// Who has kept a block from being freed may free it later by free, whatever has made it.
#include <cstdlib>

static char *volatile kept;
static volatile bool keeps;

extern "C" int __sanitizer_ignore_free_hook(const volatile void *block) {
    return block == kept && keeps;
}

int main() {
    kept = new char;
    keeps = true;
    delete kept;
    std::free(kept);
    *kept = 1;
    keeps = false;
    std::free(kept);
    return 0;
}
