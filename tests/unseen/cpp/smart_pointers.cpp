// unique_ptr, shared_ptr, aliasing, deleters, cycles that are broken, atomics of shared pointers.
#include <atomic>
#include <cassert>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

struct Tree {
    std::string name;
    std::vector<std::shared_ptr<Tree>> children;
    std::weak_ptr<Tree> parent;
    static inline int live = 0;
    explicit Tree(std::string n) : name(std::move(n)) { ++live; }
    ~Tree() { --live; }
    static std::shared_ptr<Tree> add(const std::shared_ptr<Tree> &to, std::string name) {
        auto child = std::make_shared<Tree>(std::move(name));
        child->parent = to;
        to->children.push_back(child);
        return child;
    }
    std::string path() const {
        auto up = parent.lock();
        return up ? up->path() + "/" + name : name;
    }
};

struct List {
    int value;
    std::unique_ptr<List> next;
};

struct Closer {
    int *closed;
    void operator()(std::FILE *file) const {
        std::fclose(file);
        ++*closed;
    }
};

int main() {
    {
        auto root = std::make_shared<Tree>("root");
        auto leaf = Tree::add(Tree::add(root, "a directory with a long name"), "leaf");
        std::cout << leaf->path() << ' ' << root.use_count() << leaf.use_count() << '\n';
        root.reset();
        std::cout << leaf->path() << ' ' << Tree::live << '\n';
    }
    assert(Tree::live == 0);

    int closed = 0;
    {
        std::unique_ptr<std::FILE, Closer> file(std::tmpfile(), Closer{&closed});
        std::fputs("text", file.get());
        auto other = std::move(file);
        assert(!file && other);
    }
    std::cout << closed << '\n';
    std::unique_ptr<List> head;
    for (int i = 0; i < 1000; i++) head = std::make_unique<List>(List{i, std::move(head)});
    int sum = 0;
    for (List *at = head.get(); at; at = at->next.get()) sum += at->value;
    std::unique_ptr<List> reversed;
    while (head) {
        auto rest = std::move(head->next);
        head->next = std::move(reversed);
        reversed = std::exchange(head, std::move(rest));
    }
    std::cout << sum << ' ' << reversed->value << '\n';
    while (reversed) reversed = std::move(reversed->next);

    auto pair = std::make_shared<std::pair<int, std::string>>(3, "second member, aliased");
    std::shared_ptr<std::string> alias(pair, &pair->second);
    pair.reset();
    std::cout << *alias << ' ' << alias.use_count() << '\n';
    auto array = std::make_unique<int[]>(100);
    std::shared_ptr<int[]> shared_array(array.release());
    shared_array[99] = 5;
    std::shared_ptr<void> erased = std::make_shared<Tree>("erased");
    assert(Tree::live == 1);
    erased.reset();
    assert(Tree::live == 0);

    std::shared_ptr<const std::string> current = std::make_shared<std::string>("version 0");
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; t++)
        threads.emplace_back([&current, t] {
            for (int i = 0; i < 20; i++) {
                auto seen = std::atomic_load(&current);
                assert(seen->compare(0, 8, "version ") == 0);
                std::atomic_store(&current, std::shared_ptr<const std::string>(std::make_shared<std::string>("version " + std::to_string(t * 100 + i))));
            }
        });
    for (auto &thread : threads) thread.join();
    std::cout << current.use_count() << ' ' << (current->size() >= 9) << '\n';
    std::owner_less<> before;
    std::cout << (before(alias, shared_array) != before(shared_array, alias)) << '\n';
}
