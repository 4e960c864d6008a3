// An event log: polymorphic events by shared_ptr, filtered views, undo and redo with commands.
#include <algorithm>
#include <cassert>
#include <functional>
#include <iostream>
#include <iterator>
#include <list>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

class Document {
  public:
    std::string text;
    void insert(size_t at, const std::string &what) { text.insert(at, what); }
    std::string erase(size_t at, size_t n) {
        std::string gone = text.substr(at, n);
        text.erase(at, n);
        return gone;
    }
};

struct Command {
    virtual ~Command() = default;
    virtual void apply(Document &document) = 0;
    virtual void undo(Document &document) = 0;
    virtual std::string describe() const = 0;
};
class Insert : public Command {
    size_t at_;
    std::string what_;

  public:
    Insert(size_t at, std::string what) : at_(at), what_(std::move(what)) {}
    void apply(Document &d) override { d.insert(at_, what_); }
    void undo(Document &d) override { d.erase(at_, what_.size()); }
    std::string describe() const override { return "insert " + std::to_string(what_.size()); }
};
class Erase : public Command {
    size_t at_, n_;
    std::string gone_;

  public:
    Erase(size_t at, size_t n) : at_(at), n_(n) {}
    void apply(Document &d) override { gone_ = d.erase(at_, n_); }
    void undo(Document &d) override { d.insert(at_, gone_); }
    std::string describe() const override { return "erase " + std::to_string(n_); }
};
class Group : public Command {
    std::vector<std::unique_ptr<Command>> parts_;

  public:
    template <class... Parts> explicit Group(Parts... parts) { (parts_.push_back(std::move(parts)), ...); }
    void apply(Document &d) override {
        for (auto &part : parts_) part->apply(d);
    }
    void undo(Document &d) override { std::for_each(parts_.rbegin(), parts_.rend(), [&](auto &part) { part->undo(d); }); }
    std::string describe() const override {
        return std::accumulate(parts_.begin(), parts_.end(), std::string("group"), [](std::string all, const auto &part) { return std::move(all) + " (" + part->describe() + ")"; });
    }
};

class Editor {
    Document document_;
    std::list<std::unique_ptr<Command>> done_, undone_;
    std::vector<std::function<void(const Command &, bool)>> observers_;

  public:
    void observe(std::function<void(const Command &, bool)> f) { observers_.push_back(std::move(f)); }
    void run(std::unique_ptr<Command> command) {
        command->apply(document_);
        done_.push_back(std::move(command));
        undone_.clear();
        for (auto &observer : observers_) observer(*done_.back(), true);
    }
    bool undo() {
        if (done_.empty()) return false;
        done_.back()->undo(document_);
        for (auto &observer : observers_) observer(*done_.back(), false);
        undone_.splice(undone_.begin(), done_, std::prev(done_.end()));
        return true;
    }
    bool redo() {
        if (undone_.empty()) return false;
        undone_.front()->apply(document_);
        done_.splice(done_.end(), undone_, undone_.begin());
        return true;
    }
    const std::string &text() const { return document_.text; }
};

int main() {
    Editor editor;
    std::ostringstream log;
    editor.observe([&log](const Command &command, bool forward) { log << (forward ? '+' : '-') << command.describe() << ';'; });
    editor.run(std::make_unique<Insert>(0, "hello world, this is a document"));
    editor.run(std::make_unique<Erase>(5, 6));
    editor.run(std::make_unique<Group>(std::make_unique<Insert>(5, "!"), std::make_unique<Erase>(0, 1), std::make_unique<Insert>(0, "J")));
    std::cout << editor.text() << '\n';
    const std::string last = editor.text();
    int steps = 0;
    while (editor.undo()) steps++;
    assert(editor.text().empty() && steps == 3);
    while (editor.redo()) steps++;
    assert(editor.text() == last && steps == 6);
    editor.undo();
    editor.run(std::make_unique<Insert>(0, "> "));
    assert(!editor.redo());
    std::cout << editor.text() << '\n' << log.str() << '\n';
}
