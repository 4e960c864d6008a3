// A global's destructor joins the thread that uses its text before it frees that.
// EXIT: 0
#include <chrono>
#include <thread>

struct Log {
    char *text = new char[16]();
    std::thread writer;
    ~Log() {
        writer.join();
        delete[] text;
    }
};
static Log log_of_all;

static void write_late() {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    log_of_all.text[0] = 'a';
}

int main() {
    log_of_all.writer = std::thread(write_late);
    return 0;
}
