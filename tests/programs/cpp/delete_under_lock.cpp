// The last user deletes the session inside of a lock_guard of the session's own mutex.
// NATIVE: miss AddressSanitizer does not look at mutexes as memory
#include <mutex>

class Session {
  public:
    void enter() {
        std::lock_guard<std::mutex> guard(mutex);
        users++;
    }
    void leave() {
        std::lock_guard<std::mutex> guard(mutex);
        if (--users == 0) delete this; // FREED
    } // EXPECT: heap-use-after-free write 40

  private:
    std::mutex mutex;
    int users = 0;
};

int main() {
    Session *session = new Session; // ALLOCATED
    session->enter();
    session->leave();
    return 0;
}
