// A switch whose cases all return, and a value that is none of them.
enum side { left, right };
volatile int other = 2;

struct part {
    int width(int which) const { // EXPECT: missing-return
        switch (which) {
        case left: return 1;
        case right: return 2;
        }
    }
};

int main() { return part().width(other) == 3; }
