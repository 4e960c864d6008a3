// Objects and arrays that nobody deletes.
// NATIVE: miss at -O0 a stale word on the stack hides some of it
struct Point {
    volatile int x = 1, y = 2;
};

struct Named {
    volatile int value = 3;
    ~Named() { value = 0; }
};

static void lose() {
    Point *point = new Point;     // EXPECT: direct-leak 8
    point->x = 5;
    int *numbers = new int[10];   // EXPECT: direct-leak 40
    *(volatile int *)numbers = 1;
    Named *named = new Named[3];  // EXPECT: direct-leak 20
    named->value = 6;
}

int main() {
    lose();
    return 0;
}
