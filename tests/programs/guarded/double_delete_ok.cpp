// A copy owns an array of its own.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
// EXIT: 0
struct Buffer {
    int *volatile data;
    Buffer() : data(new int[20]()) {}
    Buffer(const Buffer &other) : data(new int[20]) {
        for (int i = 0; i < 20; i++) data[i] = other.data[i];
    }
    __attribute__((noinline)) void drop() {
        delete[] data;
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
