// Two threads insert into one map: every pointer of the tree that both touch is the same one bug.
// SEEDS: some two roots may be made at once, and one of the nodes is lost
#include <map>
#include <thread>

static std::map<int, int> *table;

static void fill(int first) {
    for (int i = 0; i < 3; i++)
        table->emplace(first + 2 * i, i); // EXPECT: data race|heap-use-after-free
}

int main() {
    table = new std::map<int, int>;
    std::thread even(fill, 0), odd(fill, 1);
    even.join();
    odd.join();
}
