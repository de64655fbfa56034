//@ verdict: holds
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

void *say(void *argument) {
    printf("thread %ld says %s\n", (long)argument, "hello");
    return NULL;
}

int main(void) {
    pthread_t t;
    char text[32];
    pthread_create(&t, NULL, say, (void *)1L);
    assert(printf("%d%c\n", 12, 'x') == 4);
    assert(snprintf(text, 4, "%05d", 42) == 5);
    assert(text[0] == '0' && text[2] == '0' && text[3] == '\0');
    puts("end");
    fprintf(stderr, "%x %u %p\n", 255u, 3u, (void *)0);
    pthread_join(t, NULL);
}
