// A member is deleted as if it had been made by new.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
struct Pair {
    long first[4], second[4];
};

int main() {
    Pair *volatile pair = new Pair(); // ALLOCATED
    long *volatile second = pair->second;
    delete[] second; // EXPECT: Invalid (Wild) Free
    return 0;
}
