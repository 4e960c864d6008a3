// Sequences: list splices, deque at both ends, forward_list, queues, erased iterators, insertions.
#include <algorithm>
#include <cassert>
#include <deque>
#include <forward_list>
#include <iostream>
#include <iterator>
#include <list>
#include <numeric>
#include <queue>
#include <stack>
#include <string>
#include <vector>

class Lru {
  public:
    explicit Lru(size_t limit) : limit_(limit) {}
    void use(const std::string &key) {
        auto found = std::find(order_.begin(), order_.end(), key);
        if (found != order_.end()) order_.splice(order_.begin(), order_, found);
        else order_.push_front(key);
        if (order_.size() > limit_) order_.pop_back();
    }
    const std::list<std::string> &order() const { return order_; }

  private:
    size_t limit_;
    std::list<std::string> order_;
};

template <class C> static void show(const C &c) {
    for (const auto &each : c) std::cout << each << ' ';
    std::cout << '\n';
}

int main() {
    Lru lru(3);
    for (const char *key : {"a", "b", "a", "c", "d", "a", "a key with a long name that is allocated"}) lru.use(key);
    show(lru.order());
    std::list<int> numbers{5, 2, 8, 2, 9, 1}, more{7, 3};
    numbers.sort();
    more.sort();
    numbers.merge(more);
    numbers.unique();
    numbers.remove_if([](int n) { return n % 5 == 0; });
    numbers.reverse();
    show(numbers);
    for (auto at = numbers.begin(); at != numbers.end();) at = *at % 2 ? numbers.erase(at) : std::next(at);
    show(numbers);

    std::deque<std::string> deque;
    for (int i = 0; i < 200; i++) i % 2 ? deque.push_back(std::to_string(i)) : deque.push_front(std::string(20, 'x') + std::to_string(i));
    deque.erase(deque.begin() + 5, deque.end() - 5);
    deque.insert(deque.begin() + 3, 2, "inserted");
    deque.resize(11);
    deque.shrink_to_fit();
    show(deque);
    std::string &kept = deque.front();
    deque.push_front("new front");
    assert(&kept == &deque[1]);

    std::forward_list<int> forward{1, 2, 3};
    forward.insert_after(forward.before_begin(), 0);
    forward.erase_after(std::next(forward.begin()));
    forward.splice_after(forward.begin(), std::forward_list<int>{10, 11});
    show(forward);
    std::priority_queue<std::pair<int, std::string>, std::vector<std::pair<int, std::string>>, std::greater<>> jobs;
    jobs.emplace(3, "third"), jobs.emplace(1, "first"), jobs.emplace(2, "second");
    for (; !jobs.empty(); jobs.pop()) std::cout << jobs.top().second << ' ';
    std::stack<int, std::vector<int>> stack;
    std::queue<int> queue;
    for (int i = 0; i < 5; i++) stack.push(i), queue.push(i);
    while (!stack.empty()) std::cout << stack.top() << queue.front(), stack.pop(), queue.pop();
    std::cout << '\n';
    std::vector<std::string> words{"delta", "alpha", "charlie", "bravo"};
    words.insert(words.begin() + 1, {"echo", "foxtrot"});
    words.emplace(words.end() - 1, words.front());
    std::rotate(words.begin(), words.begin() + 2, words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    words.assign(words.rbegin(), words.rend());
    show(words);
    std::vector<std::vector<int>> triangle(6);
    for (size_t r = 0; r < triangle.size(); r++) {
        triangle[r].resize(r + 1, 1);
        for (size_t c = 1; c < r; c++) triangle[r][c] = triangle[r - 1][c - 1] + triangle[r - 1][c];
    }
    show(triangle.back());
}
