// The header is the first element.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
// EXIT: 0
__attribute__((noinline)) static void put_length(volatile long *values, long length) {
    values[-1] = length;
}

int main() {
    long *values = new long[512];
    put_length(values + 1, 511);
    delete[] values;
    return 0;
}
