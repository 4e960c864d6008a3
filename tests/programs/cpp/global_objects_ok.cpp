// Global objects are constructed in order before main and destroyed in reverse after it.
// STDOUT: build first
// STDOUT: build second
// STDOUT: main
// STDOUT: at exit
// STDOUT: drop second
// STDOUT: drop first
#include <cstdio>
#include <cstdlib>
#include <string>

class Announcer {
public:
    explicit Announcer(const char *name) : name_(name) { std::printf("build %s\n", name); }
    ~Announcer() { std::printf("drop %s\n", name_.c_str()); }

private:
    std::string name_;
};

static Announcer first("first");
static Announcer second("second");

int main() {
    std::atexit([] { std::puts("at exit"); });
    std::puts("main");
    return 0;
}
