// WITH: parts/odr_table.c
// NATIVE: skip a static link refuses two definitions, as two shared libraries they run
// Two modules define a variable: only the first definition is used, by both.
int table[4] = {1}; // EXPECT: odr-violation
int table_sum(void);

int main(void) {
    return table_sum() + table[0] == 9;
}
