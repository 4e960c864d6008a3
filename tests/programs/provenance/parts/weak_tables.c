// The linker takes these for the weak ones of the same names.
long weak_replaced[80] = {4};
