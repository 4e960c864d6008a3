// std::vector<std::string>: random words are collected, sorted, made unique and joined.
// SIZE: default 1200, smoke 8
// THREADS: 1, 4
#include "work.h"

#include <algorithm>
#include <string>
#include <vector>

static unsigned long work(int self, long size) {
    uint64_t random = seed_of(self);
    unsigned long sum = 0;
    for (long round = 0; round < size / 4; round++) {
        std::vector<std::string> words;
        for (int i = 0; i < 1000; i++) {
            std::string word;
            for (uint64_t rest = next_random(&random) >> 40; rest; rest /= 11)
                word.push_back(static_cast<char>('a' + rest % 11));
            if (next_random(&random) % 4 == 0) word += " and a longer part that is on the heap";
            words.push_back(std::move(word));
        }
        std::sort(words.begin(), words.end());
        words.erase(std::unique(words.begin(), words.end()), words.end());
        std::string joined;
        for (const auto &word : words) joined.append(word).push_back(',');
        sum += joined.size() + static_cast<unsigned char>(joined[joined.size() / 2]);
    }
    return sum;
}

int main(int argc, char **argv) {
    return run_all("string_vector", argc > 1 ? atol(argv[1]) : 160);
}
