// C++ over processes: a child per task, results through pipes in RAII handles, exceptions in children.
#include <cassert>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

class Descriptor {
    int fd_ = -1;

  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(Descriptor &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor &operator=(Descriptor &&other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    int get() const { return fd_; }
};

static std::pair<Descriptor, Descriptor> make_pipe() {
    int ends[2];
    if (::pipe(ends)) throw std::system_error(errno, std::generic_category(), "pipe");
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

class Task {
    Descriptor from_;
    pid_t pid_;

  public:
    template <class F> explicit Task(F work) : from_(-1), pid_(-1) {
        auto [from, to] = make_pipe();
        std::cout.flush();
        pid_ = ::fork();
        if (pid_ == 0) {
            int status = 0;
            std::string result;
            try {
                result = work();
            } catch (const std::exception &error) {
                result = error.what();
                status = 1;
            }
            if (::write(to.get(), result.data(), result.size()) < 0) status = 2;
            ::_exit(status);
        }
        from_ = std::move(from);
    }
    std::pair<int, std::string> wait() {
        std::string text;
        char buffer[16];
        ssize_t n;
        while ((n = ::read(from_.get(), buffer, sizeof buffer)) > 0) text.append(buffer, size_t(n));
        int status = 0;
        if (::waitpid(pid_, &status, 0) != pid_) throw std::system_error(errno, std::generic_category(), "waitpid");
        return {WEXITSTATUS(status), text};
    }
};

int main() {
    std::vector<int> numbers(100);
    std::iota(numbers.begin(), numbers.end(), 1);
    std::vector<Task> tasks;
    for (int part = 0; part < 3; part++)
        tasks.emplace_back([&numbers, part] {
            if (part == 2) throw std::runtime_error("the third task fails with a long message");
            long sum = 0;
            for (size_t i = size_t(part); i < numbers.size(); i += 3) sum += numbers[i];
            return std::to_string(sum);
        });
    for (auto &task : tasks) {
        auto [status, text] = task.wait();
        std::cout << status << ' ' << text << '\n';
    }
    try {
        tasks[0].wait();
        return 1;
    } catch (const std::system_error &error) {
        std::cout << (error.code() == std::errc::no_child_process) << '\n';
    }
}
