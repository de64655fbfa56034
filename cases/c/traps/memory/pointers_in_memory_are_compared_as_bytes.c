//@ verdict: holds
//@ verdict with -DORDER: unknown
#include <assert.h>
#include <string.h>

/* Equal pointers have equal bytes, others differ; which bytes are larger is not known. */
struct pair {
    int *first, *second;
    long number;
};
int left, right;

int main(void) {
    struct pair one = { &left, &right, 1 }, same = { &left, &right, 1 };
    struct pair other = { &left, &left, 1 }, none = { &left, NULL, 1 }, later = { &left, &right, 2 };
    assert(memcmp(&one, &same, sizeof one) == 0);
    assert(memcmp(&one, &other, sizeof one) != 0);
    assert(memcmp(&one, &other, sizeof one.first) == 0);
    assert(memcmp(&one, &none, sizeof one) > 0);
    assert(memcmp(&none, &one, sizeof one) < 0);
    assert(memcmp(&one, &later, sizeof one) < 0);
    if (!memcmp(&other.first, &other.second, sizeof(int *)))
        other.second = &right;
    assert(memcmp(&one, &other, sizeof one) == 0);
#ifdef ORDER
    assert(memcmp(&one.first, &one.second, sizeof(int *)) < 0);
#endif
    return 0;
}
