// A static data member overflows; its name is told as it is written.
struct Counters {
    static long values[4];
    static long get(int index) {
        return values[index]; // EXPECT: global-buffer-overflow read 8
    }
};
long Counters::values[4] = {1};
volatile int end = 4;

int main() {
    return (int)Counters::get(end);
}
