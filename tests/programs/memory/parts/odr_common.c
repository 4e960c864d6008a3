// A tentative definition that is bigger than the other module's full one.
__attribute__((common)) int buffer[16];
int last_of_buffer(int index) { return buffer[index]; }
