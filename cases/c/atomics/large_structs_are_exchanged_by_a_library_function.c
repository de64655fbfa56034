//@ verdict: holds
// There is a lock behind it, and all bytes are seen at once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct row { int numbers[5]; };
_Atomic struct row row;

void *set(void *unused) {
    atomic_store(&row, ((struct row){{2, 2, 2, 2, 2}}));
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, set, NULL);
    struct row seen = atomic_load(&row);
    assert(seen.numbers[0] == seen.numbers[4]);
    pthread_join(t, NULL);
}
