// Functions that are called as if they had another type.
volatile long sink;

static int twice(int n) { return 2 * n; }
static long length(const char *text) { return text != 0; }

typedef long (*wide_function)(long);

int main(void) {
    wide_function volatile call = (wide_function)(void *)twice;
    sink = call(3); // EXPECT: function-type-mismatch
    call = (wide_function)(void *)length;
    sink = call(1); // EXPECT: function-type-mismatch
    return 0;
}
