//@ args: --extern any
//@ verdict: holds
//@ note: they return anything and write nothing: `any_number`
//@ verdict with -DNOT_SEVEN: violated "assertion"
//@ verdict with -DFOLLOW: unknown "an address that is an input"
//@ verdict with -DCALL: unknown "a pointer that is an input"
#include <assert.h>
#include <stddef.h>

struct item {
    int number;
};

int any_number(int);
struct item *find_item(const char *);
void (*find_function(void))(void);

int main(void) {
    int own = 3, number = any_number(own);
    assert(own == 3);
    if (number > 4) assert(number != 4);
#ifdef NOT_SEVEN
    assert(number != 7);
#endif
    struct item *item = find_item("first");
#ifdef FOLLOW
    if (item != NULL) assert(item->number == 1);
#endif
    if (item == NULL) return 1;
#ifdef CALL
    find_function()();
#endif
}
