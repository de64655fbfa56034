//@ verdict: violated
// `realloc` deallocates the old object (C11 7.22.3.5p2) while another thread may read it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *block;

void *grow(void *unused) {
    block = realloc(block, 2 * sizeof *block);
    return NULL;
}

void *read_it(void *argument) {
    int value = *(int *)argument;
    assert(value == 5);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    block = malloc(sizeof *block);
    *block = 5;
    pthread_create(&one, NULL, read_it, block);
    pthread_create(&two, NULL, grow, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    free(block);
    return 0;
}
