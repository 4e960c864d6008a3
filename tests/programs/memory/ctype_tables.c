// A write into the table of isalpha, which the C library keeps in read-only pages.
#include <ctype.h>

int main(void) {
    unsigned short *table = (unsigned short *)*__ctype_b_loc();
    int c = table['a'];
    table['b'] = (unsigned short)c; // EXPECT: SEGV write
    return 0;
}
