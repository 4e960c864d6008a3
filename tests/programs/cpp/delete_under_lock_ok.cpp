// The twin of delete_under_lock: the session is deleted once the guard is gone.
// STDOUT: left
#include <cstdio>
#include <mutex>

class Session {
  public:
    void enter() {
        std::lock_guard<std::mutex> guard(mutex);
        users++;
    }
    bool leave() {
        std::lock_guard<std::mutex> guard(mutex);
        return --users == 0;
    }

  private:
    std::mutex mutex;
    int users = 0;
};

int main() {
    Session *session = new Session;
    session->enter();
    if (session->leave()) delete session;
    puts("left");
    return 0;
}
