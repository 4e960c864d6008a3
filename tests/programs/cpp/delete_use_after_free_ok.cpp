// The twin of delete_use_after_free: std::unique_ptr ends the lifetime, once, at the end.
// STDOUT: 7 1
#include <iostream>
#include <memory>

struct Session {
    volatile long user = 7;
    volatile long hits = 0;
};

int main() {
    auto current = std::make_unique<Session>();
    Session *alias = current.get();
    alias->hits = 1;
    std::unique_ptr<Session> moved = std::move(current);
    std::cout << moved->user << ' ' << moved->hits << '\n';
    return 0;
}
