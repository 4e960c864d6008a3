// Indices beyond arrays that lie in a structure: the bytes are the structure's own.
struct table {
    int rows[2][3];
    int more[8];
    int end; // or `more` could be longer than it says
};

volatile int three = 3, minus_one = -1, sink;
struct table table;

int main(void) {
    sink = table.rows[0][three]; // EXPECT: out-of-bounds-index
    table.rows[three - 1][0] = 1; // EXPECT: out-of-bounds-index
    sink = table.more[minus_one]; // EXPECT: out-of-bounds-index
    return 0;
}
