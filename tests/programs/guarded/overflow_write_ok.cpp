// The terminator has a place of its own.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
// EXIT: 0
__attribute__((noinline)) static void terminate(volatile char *text, unsigned length) {
    text[length] = '\0';
}

int main() {
    char *text = new char[4096];
    terminate(text, 4095);
    delete[] text;
    return 0;
}
