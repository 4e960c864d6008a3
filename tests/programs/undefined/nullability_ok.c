// Annotated pointers that are not null, and those that may be.
// EXIT: 0
#pragma clang diagnostic ignored "-Wnullability-extension"

int *volatile nowhere;
int here = 3;
volatile long sink;

static long seen(int *_Nonnull number) { return *number; }
static int *_Nullable maybe(void) { return nowhere; }
static int *_Nonnull found(void) { return &here; }

int main(void) {
    sink = seen(found());
    int *_Nonnull kept = &here;
    sink += maybe() == kept;
    return sink != 3;
}
