// A counter behind a mutex, a variable of each thread, an atomic one.
// STDOUT: 40 2
import core.atomic, core.stdc.stdio, core.sync.mutex, core.thread;

__gshared int counter;
__gshared Mutex mutex;
shared int ended;
int own;

void add() {
    foreach (at; 0 .. 20) {
        mutex.lock();
        scope (exit) mutex.unlock();
        counter++;
        own++;
    }
    if (own == 20) atomicOp!"+="(ended, 1);
}

void main() {
    mutex = new Mutex;
    auto other = new Thread(&add).start();
    add();
    other.join();
    printf("%d %d\n", counter, atomicLoad(ended));
}
