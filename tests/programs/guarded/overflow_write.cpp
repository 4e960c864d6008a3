// A terminator is written behind an array that fills its page.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
__attribute__((noinline)) static void terminate(volatile char *text, unsigned length) {
    text[length] = '\0'; // EXPECT: Buffer Overflow write 1
}

int main() {
    char *text = new char[4096]; // ALLOCATED
    terminate(text, 4096);
    delete[] text;
    return 0;
}
