// Once the hook lets a free pass, the next one is the second.
#include <cstdlib>

static char *volatile kept;
static volatile int n_ignored = 2;

extern "C" int __sanitizer_ignore_free_hook(const volatile void *block) {
    if (block != kept || n_ignored == 0) return 0;
    n_ignored = n_ignored - 1;
    return 1;
}

int main() {
    kept = static_cast<char *>(std::malloc(100)); // ALLOCATED
    std::free(kept);
    std::free(kept);
    std::free(kept); // FREED
    std::free(kept); // EXPECT: double-free
    return 0;
}
