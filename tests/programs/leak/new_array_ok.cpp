// Arrays with a cookie: the program's pointer is not the block's start; empty ones too.
// EXIT: 0
struct Named {
    volatile int value = 3;
    ~Named() { value = 0; }
};

static Named *volatile three;
static Named *volatile none;

int main(int argc, char **) {
    three = new Named[argc + 2];
    none = new Named[argc - 1];
    return 0;
}
