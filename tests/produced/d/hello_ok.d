// STDOUT: done 7 6
import core.stdc.stdio;

class Bad : Exception {
    this(string text) { super(text); }
}

int risky(int value) {
    if (value > 2) throw new Bad("too big");
    return value;
}

int main() {
    int[] list;
    foreach (at; 0 .. 4) list ~= at;
    int sum = 0, caught = 0;
    foreach (one; list) sum += one;
    try {
        risky(5);
    } catch (Bad bad) {
        caught = cast(int) bad.msg.length;
    }
    printf("done %d %d\n", caught, sum);
    return 0;
}
