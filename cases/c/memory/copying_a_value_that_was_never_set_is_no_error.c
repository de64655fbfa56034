//@ verdict: holds
// Only use matters: a struct is copied with a member that was never set.
#include <assert.h>

struct pair { int first, second; };

struct pair make(void) {
    struct pair pair;
    pair.first = 1;
    return pair;
}

int main(void) {
    struct pair copy = make(), again;
    again = copy;
    assert(again.first == 1);
}
