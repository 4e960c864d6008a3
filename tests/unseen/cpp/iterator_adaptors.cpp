// Iterators: of streams, inserting, moving, reversed, counted, and a container of the program's own.
#include <algorithm>
#include <cassert>
#include <iostream>
#include <iterator>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

template <class T> class Ring {
    std::vector<T> items_;
    size_t head_ = 0, size_ = 0;

  public:
    explicit Ring(size_t room) : items_(room) {}
    void push(T item) {
        items_[(head_ + size_) % items_.size()] = std::move(item);
        if (size_ < items_.size()) ++size_;
        else head_ = (head_ + 1) % items_.size();
    }
    class iterator {
        const Ring *ring_ = nullptr;
        size_t at_ = 0;

      public:
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        iterator() = default;
        iterator(const Ring *ring, size_t at) : ring_(ring), at_(at) {}
        const T &operator*() const { return ring_->items_[(ring_->head_ + at_) % ring_->items_.size()]; }
        iterator &operator++() { return ++at_, *this; }
        iterator operator++(int) { return std::exchange(*this, iterator(ring_, at_ + 1)); }
        bool operator==(const iterator &other) const { return at_ == other.at_; }
    };
    iterator begin() const { return {this, 0}; }
    iterator end() const { return {this, size_}; }
};
static_assert(std::forward_iterator<Ring<int>::iterator>);

int main() {
    Ring<std::string> ring(3);
    for (const char *word : {"first", "second", "third", "a fourth one that is longer", "fifth"}) ring.push(word);
    std::ranges::copy(ring, std::ostream_iterator<std::string>(std::cout, ";"));
    std::cout << std::ranges::distance(ring) << '\n';
    std::istringstream in("5 3 9 3 x 7");
    std::set<int> unique;
    std::copy(std::istream_iterator<int>(in), {}, std::inserter(unique, unique.end()));
    std::copy(unique.rbegin(), unique.rend(), std::ostream_iterator<int>(std::cout, " "));
    std::vector<std::unique_ptr<int>> owners, taken;
    for (int i = 0; i < 5; i++) owners.push_back(std::make_unique<int>(i));
    std::move(owners.begin() + 1, owners.begin() + 3, std::back_inserter(taken));
    taken.insert(taken.end(), std::make_move_iterator(owners.rbegin()), std::make_move_iterator(owners.rbegin() + 1));
    assert(!owners[1] && !owners[4] && owners[3]);
    for (auto &each : taken) std::cout << *each;
    std::cout << ' ' << std::count(owners.begin(), owners.end(), nullptr) << '\n';
    std::vector<int> v{1, 2, 3, 4, 5};
    auto last = std::prev(v.end(), 2);
    std::cout << *last << std::distance(v.begin(), last) << *std::next(v.rbegin()).base() << '\n';
    std::counted_iterator counted(v.begin(), 3);
    int sum = 0;
    for (; counted != std::default_sentinel; ++counted) sum += *counted;
    std::common_iterator<std::counted_iterator<std::vector<int>::iterator>, std::default_sentinel_t> common = std::counted_iterator(v.begin(), 2);
    std::cout << sum << *common << std::size(v) << std::ssize(v) << *std::cbegin(v) << '\n';
    std::string text(std::istreambuf_iterator<char>(in.rdbuf()), {});
    assert(text.empty() || text.back() == '7');
}
