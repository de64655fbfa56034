//@ verdict: holds
// strlen does not read beyond the null character (C11 7.24.6.3p3).
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

char text[6] = "ab";

void *write_it(void *unused) {
    text[3] = 'x';
    text[4] = 'y';
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, write_it, NULL);
    assert(strlen(text) == 2);
    pthread_join(one, NULL);
    return 0;
}
