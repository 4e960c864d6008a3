// The throw takes the only pointer with it.
#include <stdexcept>

static void lose(int number) {
    int *numbers = new int[number]; // EXPECT: direct-leak 28
    *(volatile int *)numbers = 1;
    if (number == 7) throw std::runtime_error("seven");
    delete[] numbers;
}

int main() {
    try {
        lose(6);
        lose(7);
    } catch (const std::runtime_error &) {
        return 0;
    }
    return 0;
}
