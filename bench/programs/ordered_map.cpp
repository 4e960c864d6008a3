// std::map: random keys are inserted, counted and erased, and ranges are summed.
// SIZE: default 1600, smoke 4
// THREADS: 1, 4
#include "work.h"

#include <map>

static unsigned long work(int self, long size) {
    uint64_t random = seed_of(self);
    std::map<uint32_t, long> counts;
    unsigned long sum = 0;
    for (long i = size * 1000; i > 0; i--) {
        uint64_t drawn = next_random(&random);
        uint32_t key = static_cast<uint32_t>(drawn % 8000);
        if (drawn >> 61 == 0) {
            counts.erase(key);
        } else if (drawn >> 61 == 1) {
            auto at = counts.lower_bound(key);
            for (int n = 0; n < 8 && at != counts.end(); n++, ++at)
                sum += static_cast<unsigned long>(at->second);
        } else {
            counts[key]++;
        }
    }
    for (const auto &entry : counts) sum += entry.first;
    return sum;
}

int main(int argc, char **argv) {
    return run_all("ordered_map", argc > 1 ? atol(argv[1]) : 400);
}
