// A variable of another module that code initialises, and a user of one that is there already.
volatile int source = 4;
int late = source;
int read_early();
int sum = read_early();
