// A loop over a vector that grows the vector: the iterator points into memory given back.
//
//     irsan run examples/iterator_invalidation.cpp
//
// What to see: a heap-use-after-free read in `expand`, freed by the push_back two lines below it.
// The stacks go through the standard library's templates; your own frame is the one that matters.
#include <iostream>
#include <string>
#include <vector>

static std::vector<std::string> expand(std::vector<std::string> words) {
    for (auto word = words.begin(); word != words.end(); ++word) {
        if (word->size() > 3) {
            words.push_back(word->substr(0, 3));
        }
    }
    return words;
}

int main() {
    for (const std::string &word : expand({"fig", "apple", "banana", "kiwi"})) {
        std::cout << word << '\n';
    }
    return 0;
}
