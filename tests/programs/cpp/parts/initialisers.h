#include <string>

std::string &log_of_order();

struct Note {
    explicit Note(const char *word) { log_of_order() += std::string(" ") + word; }
    ~Note() { word_of_end = 1; }
    static inline int word_of_end = 0;
};

inline Note shared_inline("shared-inline");
__attribute__((init_priority(200))) inline Note shared_early("shared200");
extern thread_local std::string first_of_thread;
const std::string &whole_of_thread();
int second_value();
