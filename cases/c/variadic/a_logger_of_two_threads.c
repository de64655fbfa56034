//@ verdict: holds
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char last[64];
static int n_lines;

static void say(const char *level, const char *format, ...) {
    char text[40];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    pthread_mutex_lock(&lock);
    snprintf(last, sizeof last, "[%s] %s", level, text);
    fprintf(stderr, "%s\n", last);
    n_lines++;
    pthread_mutex_unlock(&lock);
}

static void *work(void *number) {
    say("note", "worker %d of %s", *(int *)number, "two");
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = {1, 2};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(n_lines == 2 && strncmp(last, "[note] worker ", 14) == 0);
}
