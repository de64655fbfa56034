// Sorting and searching with a function of the program.

typedef __SIZE_TYPE__ size_t;
typedef int order(const void *, const void *);
typedef int order_with(const void *, const void *, void *);

void *memcpy(void *, const void *, size_t);
_Bool __VERIFIER_nondet_bool(void);
int __threadproof_is_same(const void *, const void *, size_t);

static void swap(char *left, char *right, size_t size) {
    char between[size];
    memcpy(between, left, size);
    memcpy(left, right, size);
    memcpy(right, between, size);
}

// May the right one of two elements stay there? Elements that are equal for the
// program end up in any order (C11 7.22.5.2).
static int stays(int comparison, const char *left, const char *right, size_t size) {
    if (comparison != 0)
        return comparison < 0;
    return __threadproof_is_same(left, right, size) || __VERIFIER_nondet_bool();
}

void qsort(void *base, size_t n, size_t size, order *compare) {
    for (size_t end = 1; end < n; end++) {
        for (size_t i = end; i > 0; i--) {
            char *right = (char *)base + i * size, *left = right - size;
            if (stays(compare(left, right), left, right, size))
                break;
            swap(left, right, size);
        }
    }
}

void qsort_r(void *base, size_t n, size_t size, order_with *compare, void *argument) {
    for (size_t end = 1; end < n; end++) {
        for (size_t i = end; i > 0; i--) {
            char *right = (char *)base + i * size, *left = right - size;
            if (stays(compare(left, right, argument), left, right, size))
                break;
            swap(left, right, size);
        }
    }
}

void *bsearch(const void *key, const void *base, size_t n, size_t size, order *compare) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *at = (const char *)base + middle * size;
        int comparison = compare(key, at);
        // Which one of several is found is not said (C11 7.22.5.1).
        if (comparison == 0) {
            while (middle > low && compare(key, at - size) == 0 && __VERIFIER_nondet_bool())
                middle--, at -= size;
            while (middle + 1 < high && compare(key, at + size) == 0 && __VERIFIER_nondet_bool())
                middle++, at += size;
            return (void *)at;
        }
        if (comparison < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

void *lfind(const void *key, const void *base, size_t *n, size_t size, order *compare) {
    for (size_t i = 0; i < *n; i++) {
        const char *at = (const char *)base + i * size;
        if (compare(key, at) == 0)
            return (void *)at;
    }
    return 0;
}
