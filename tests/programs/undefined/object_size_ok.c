// Room for exactly what is accessed.
// EXIT: 0
struct wide {
    long first, second;
};

long enough[2];
volatile int zero;

int main(void) {
    struct wide *wide = (struct wide *)enough;
    long sum = wide->first + wide->second;
    int narrow[2] __attribute__((aligned(8))) = {0, 0};
    long *word = (long *)narrow;
    return (int)(sum + zero + *word);
}
