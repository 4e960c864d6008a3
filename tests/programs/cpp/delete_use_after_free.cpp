// An object is used through a second pointer after delete.
#include <iostream>

struct Session {
    volatile long user = 7;
    volatile long hits = 0;
};

static Session *volatile current;

int main() {
    current = new Session; // ALLOCATED
    Session *alias = current;
    delete current; // FREED
    alias->hits = 1; // EXPECT: heap-use-after-free write 8
    std::cout << "not reached\n";
    return 0;
}
