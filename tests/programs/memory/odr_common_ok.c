// WITH: parts/odr_common.c
// EXIT: 1
// A tentative definition beside a full one of the same size is what it is for.
int buffer[16] = {1};
int last_of_buffer(int index);

int main(void) {
    return last_of_buffer(0) + buffer[15];
}
