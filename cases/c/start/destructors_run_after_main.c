//@ verdict: violated "assertion"
#include <assert.h>

static int value;

__attribute__((destructor)) static void check(void) { assert(value == 0); }

int main(void) { value = 1; }
