// An object is told to count after it was deleted.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
struct Counter {
    long count = 0;
    __attribute__((noinline)) void add(long amount) volatile {
        count = amount; // EXPECT: Use After Free write 8
    }
};

int main() {
    volatile Counter *counter = new Counter; // ALLOCATED
    counter->add(1);
    delete counter; // FREED
    counter->add(2);
    return 0;
}
