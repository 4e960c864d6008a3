// std::unordered_map: words of a text without order are counted, looked up and erased.
// SIZE: default 3200, smoke 8
// THREADS: 1, 4
#include "work.h"

#include <unordered_map>

static unsigned long work(int self, long size) {
    uint64_t random = seed_of(self);
    std::unordered_map<uint32_t, long> counts;
    unsigned long sum = 0;
    for (long i = size * 1000; i > 0; i--) {
        uint64_t drawn = next_random(&random);
        uint32_t key = static_cast<uint32_t>(drawn % 20000);
        if (drawn >> 61 == 0) {
            counts.erase(key);
        } else if (drawn >> 61 < 4) {
            auto found = counts.find(key);
            if (found != counts.end()) sum += static_cast<unsigned long>(found->second);
        } else {
            counts[key]++;
        }
    }
    for (const auto &entry : counts) sum += static_cast<unsigned long>(entry.first);
    return sum;
}

int main(int argc, char **argv) {
    return run_all("hash_map", argc > 1 ? atol(argv[1]) : 800);
}
