// FLAGS: ASAN_OPTIONS=strict_init_order=1
// WITH: parts/init_order_late.cpp
// The program ends while its variables are initialised: what destructors use then is no error.
// STDOUT: 0
#include <cstdio>
#include <cstdlib>

extern int late;
struct Prints {
    ~Prints() { std::printf("%d\n", late); }
} prints;
struct Ends {
    Ends() { std::exit(0); }
} ends;
int read_early() { return 0; }

int main() {}
