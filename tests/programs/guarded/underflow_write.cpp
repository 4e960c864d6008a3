// A header is written in front of an array.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
__attribute__((noinline)) static void put_length(volatile long *values, long length) {
    values[-1] = length; // EXPECT: Buffer Underflow write 8
}

int main() {
    long *values = new long[512]; // ALLOCATED
    put_length(values, 512);
    delete[] values;
    return 0;
}
