static char huge[1500 << 20];

int main(int argc, char **argv) {
    huge[argc] = 1;
    return ((volatile char *)huge)[argc];
}
