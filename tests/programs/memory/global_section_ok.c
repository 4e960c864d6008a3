// STDOUT: 6
// Variables of one section are walked from its first to its last byte: nothing stands between them.
#include <stdio.h>

#define ENTRY(name, value) \
    static const int name __attribute__((section("entries"), used)) = value
ENTRY(first, 1);
ENTRY(second, 2);
ENTRY(third, 3);
extern const int __start_entries[], __stop_entries[];

int main(void) {
    int sum = 0;
    for (const int *at = __start_entries; at < __stop_entries; at++) {
        sum += *at;
    }
    printf("%d\n", sum);
    return 0;
}
