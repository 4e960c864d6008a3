// A weak compare-exchange is made once, as if it could fail only because of another thread.
#include <assert.h>
#include <stdatomic.h>

static _Atomic int owner;
static _Atomic unsigned char small;
static _Atomic long count;

static void take(void) {
    int none = 0;
#ifdef FIXED
    while (!atomic_compare_exchange_weak(&owner, &none, 1)) {
        assert(none == 0);  // what was there
        none = 0;
    }
#else
    assert(atomic_compare_exchange_weak(&owner, &none, 1));
#endif
    owner = 0;
}

int main(void) {
    for (int i = 0; i < 20; i++) {
        take();
        int none = 0;
        assert(atomic_compare_exchange_strong(&owner, &none, 0));  // never spuriously
        unsigned char before = small;
        while (!atomic_compare_exchange_weak_explicit(&small, &before, before + 1,
                                                      memory_order_release, memory_order_relaxed)) {}
        long seen = count;
        while (!atomic_compare_exchange_weak(&count, &seen, seen + 1)) {}
    }
    assert(small == 20 && count == 20);
    return 0;
}
