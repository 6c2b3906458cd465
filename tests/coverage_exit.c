/* coverage_exit.c - the counts of a process that ends by _exit(), as children of fork()
 * do, are written too. Linked into every program of tests/coverage, with --wrap=_exit.
 */
void __gcov_dump(void);
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);

_Noreturn void __wrap__exit(int status)
{
    __gcov_dump();
    __real__exit(status);
}
