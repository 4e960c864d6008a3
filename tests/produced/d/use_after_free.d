// A block of malloc that is read behind its free.
import core.stdc.stdio, core.stdc.stdlib;

int main() {
    auto values = cast(int*) malloc(4 * int.sizeof);
    foreach (at; 0 .. 4) values[at] = at;
    free(values);
    printf("%d\n", values[2]); // EXPECT: heap-use-after-free
    return 0;
}
