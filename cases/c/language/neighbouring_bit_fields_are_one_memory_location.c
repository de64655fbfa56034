//@ verdict: violated "data race"
// C11 3.14: adjacent bit-fields share a location, even if no bit is shared.
#include <pthread.h>
#include <stddef.h>

struct { unsigned left : 4, right : 4; } fields;

void *set_left(void *unused) {
    fields.left = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, set_left, NULL);
    fields.right = 2;
    pthread_join(t, NULL);
}
