// EXIT: 0
// FLAGS: ASAN_OPTIONS=detect_invalid_pointer_pairs=1
// Pointers into one object, up to just behind it, have an order and a distance; null has neither,
// but programs ask, and so do they for the equality of any two.
#include <stdlib.h>

char *volatile first, *volatile last, *volatile nothing;
int table[600];
int *volatile low = table, *volatile high = table + 600;

int main(void) {
    first = malloc(5000);
    last = first + 5000;
    long n_bytes = last - first, n_elements = high - low;
    int is_before = first < last && low < high && nothing < first;
    int is_same = (void *)first == (void *)low;
    free(first);
    return !(n_bytes == 5000 && n_elements == 600 && is_before && !is_same);
}
