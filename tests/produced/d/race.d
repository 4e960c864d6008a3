// A global that two threads add to without any order.
import core.thread;

__gshared int counter;

void add() {
    foreach (at; 0 .. 20) counter++; // EXPECT: data race
}

void main() {
    auto other = new Thread(&add).start();
    add();
    other.join();
}
