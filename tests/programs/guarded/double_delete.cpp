// A copy of an object that owns an array deletes it again.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
struct Buffer {
    int *volatile data;
    Buffer() : data(new int[20]) {} // ALLOCATED
    __attribute__((noinline)) void drop() {
        delete[] data; // EXPECT: Double Free
        data = nullptr;
    }
};

int main() {
    Buffer buffer;
    Buffer copy = buffer;
    buffer.drop();
    copy.drop();
    return 0;
}
