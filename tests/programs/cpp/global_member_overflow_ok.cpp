// EXIT: 0
// A static data member is read to its end.
struct Counters {
    static long values[4];
    static long get(int index) {
        return values[index];
    }
};
long Counters::values[4] = {1};
volatile int end = 4;

int main() {
    return (int)Counters::get(end - 1);
}
