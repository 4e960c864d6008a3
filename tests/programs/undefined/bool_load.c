// A byte that is neither 0 nor 1 is read as a boolean.
#include <stdbool.h>
#include <string.h>

struct flags {
    bool first, second;
};

volatile int sink;

int main(void) {
    struct flags flags;
    memset(&flags, 2, sizeof flags);
    bool *volatile at = &flags.first;
    sink = *at ? 3 : 4; // EXPECT: invalid-bool-load|invalid-enum-load
    at++;
    sink = *at; // EXPECT: invalid-bool-load|invalid-enum-load
    return 0;
}
