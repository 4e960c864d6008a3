// WITH: parts/odr_table.c
// FLAGS: ASAN_OPTIONS=detect_odr_violation=1
// NATIVE: skip a static link refuses two definitions, as two shared libraries they run
// At level 1 a second definition of another size is told, one of the same size is not.
int table[4] = {1};
int limits[4] = {1}; // EXPECT: odr-violation
int table_sum(void);

int main(void) {
    return table_sum() + limits[0] == 9;
}
