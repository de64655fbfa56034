//@ verdict: holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct person { char name[8]; int age; };

static int by_age(const void *left, const void *right) {
    const struct person *a = left, *b = right;
    return (a->age > b->age) - (a->age < b->age);
}

static int by_value(const void *left, const void *right) {
    return *(const int *)left - *(const int *)right;
}

static void *sort(void *numbers) {
    qsort(numbers, 3, sizeof(int), by_value);
    return NULL;
}

int main(void) {
    int numbers[6] = {5, 3, 1, 6, 2, 4};
    pthread_t thread;
    pthread_create(&thread, NULL, sort, numbers);
    sort(numbers + 3);
    pthread_join(thread, NULL);
    qsort(numbers, 6, sizeof numbers[0], by_value);
    for (int i = 0; i < 6; i++)
        assert(numbers[i] == i + 1);
    int wanted = 4, missing = 9;
    assert(bsearch(&wanted, numbers, 6, sizeof(int), by_value) == numbers + 3);
    assert(bsearch(&missing, numbers, 6, sizeof(int), by_value) == NULL);
    struct person people[3] = {{"bob", 40}, {"al", 20}, {"cy", 30}};
    qsort(people, 3, sizeof people[0], by_age);
    assert(strcmp(people[0].name, "al") == 0 && strcmp(people[2].name, "bob") == 0);
}
