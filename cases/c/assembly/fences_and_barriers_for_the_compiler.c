//@ verdict: holds
//@ verdict with -DOTHER: unknown "the inline assembly"
#include <assert.h>

int main(void) {
    int number = 4;
    __asm__ __volatile__("" : "+r"(number));
    __asm__ __volatile__("" : "+m"(number) : : "memory");
    assert(number == 4);
    __asm__ __volatile__("mfence" : : : "memory");
    __asm__ __volatile__("lock; addl $0, 0(%%rsp)" : : : "memory");
    __asm__ __volatile__("rep; nop" : : : "memory");
    __builtin_ia32_mfence();
    __builtin_ia32_pause();
#ifdef OTHER
    int a, b = 0;
    __asm__ __volatile__("cpuid" : "=a"(a), "+b"(b));
#endif
}
