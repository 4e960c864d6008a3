// The whole object is deleted.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
// EXIT: 0
struct Pair {
    long first[4], second[4];
};

int main() {
    Pair *volatile pair = new Pair();
    long *volatile second = pair->second;
    second[0] = 1;
    delete pair;
    return 0;
}
