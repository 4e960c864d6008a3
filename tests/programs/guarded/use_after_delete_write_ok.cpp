// The object is told to count, then deleted.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
// EXIT: 0
#include <memory>

struct Counter {
    long count = 0;
    __attribute__((noinline)) void add(long amount) volatile {
        count = amount;
    }
};

int main() {
    auto counter = std::make_unique<Counter>();
    counter->add(1);
    counter->add(2);
    counter.reset();
    counter = std::make_unique<Counter>();
    counter->add(3);
    return counter->count == 3 ? 0 : 1;
}
