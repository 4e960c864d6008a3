// Null where clang's annotation says that there is none.
#pragma clang diagnostic ignored "-Wnullability-extension"

int *volatile nowhere;
volatile long sink;

static long seen(int *_Nonnull number) { return number ? 1 : 2; }

static int *_Nonnull found(void) {
    return nowhere; // EXPECT: invalid-null-return
}

int main(void) {
    sink = seen(nowhere); // EXPECT: invalid-null-argument
    int *_Nonnull kept = found(); // EXPECT: null-pointer-use
    kept = nowhere; // EXPECT: null-pointer-use
    sink = (long)kept;
    return 0;
}
