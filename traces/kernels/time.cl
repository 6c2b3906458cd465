/* time.cl - kernels whose path depends on when things happen: to be executed in time
 * (docs/contract/execution.md), since a recorded path is one of many.
 *
 * One work-item of a group works, or all of it on one task; groups work on the same
 * buffers at the same time. What comes out is the same in every order but where said.
 *
 * spin_lock    a lock of one word: `turns` times a group takes it, adds one to *sum by
 *              a load and a store, and notes in order[] that it was there.
 * ticket_lock  the same with tickets: groups come in the order in which they asked.
 * broken_lock  a lock that nobody frees: the first group keeps it.
 * no_lock      the same sum without a lock: additions are lost.
 * steal        tasks of unequal length, all of them in the first groups' queues: a
 *              group with an empty queue takes from the others'. who[] says which group
 *              has done a task, done[] how often.
 * bfs          distances from vertex 0 with a queue that grows while it is read; a
 *              vertex comes into it whenever its distance shrinks. visits[] says how
 *              often a vertex was taken.
 * clock_chase  a pointer chase that reads the EU's clock around each step. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif

ulong __builtin_IB_read_cycle_counter(void);

static void enter_section(volatile global uint *sum, global uint *order, uint group)
{
    uint at = *sum;

    order[at] = group;
    *sum = at + 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}

kernel WIDTH void spin_lock(volatile global uint *lock, volatile global uint *sum,
                            global uint *order, uint turns)
{
    if (get_local_id(0) != 0)
        return;
    for (uint i = 0; i < turns; i++) {
        while (atomic_cmpxchg(lock, 0u, 1u) != 0u)
            ;
        enter_section(sum, order, (uint)get_group_id(0));
        atomic_xchg(lock, 0u);
    }
}

/* lock[0]: the next ticket; lock[16], in another line: who may enter. */
kernel WIDTH void ticket_lock(volatile global uint *lock, volatile global uint *sum,
                              global uint *order, uint turns)
{
    if (get_local_id(0) != 0)
        return;
    for (uint i = 0; i < turns; i++) {
        uint ticket = atomic_inc(lock);

        while (atomic_add(lock + 16, 0u) != ticket)
            ;
        enter_section(sum, order, (uint)get_group_id(0));
        atomic_inc(lock + 16);
    }
}

kernel WIDTH void broken_lock(volatile global uint *lock, volatile global uint *sum,
                              global uint *order, uint turns)
{
    if (get_local_id(0) != 0)
        return;
    while (atomic_cmpxchg(lock, 0u, 1u) != 0u)
        ;
    enter_section(sum, order, (uint)get_group_id(0));
}

kernel WIDTH void no_lock(volatile global uint *lock, volatile global uint *sum,
                          global uint *order, uint turns)
{
    if (get_local_id(0) != 0)
        return;
    for (uint i = 0; i < turns; i++)
        enter_section(sum, order, (uint)get_group_id(0));
}

/* next[g]: tasks taken from group g's queue, which has `size` of them if g < full. */
kernel WIDTH void steal(volatile global uint *next, global uint *who,
                        volatile global uint *done, global uint *result, uint size,
                        uint full)
{
    uint me = (uint)get_group_id(0), groups = (uint)get_num_groups(0);

    if (get_local_id(0) != 0)
        return;
    for (uint i = 0; i < groups; i++) {
        uint victim = (me + i) % groups;

        while (victim < full) {
            uint at = atomic_inc(next + victim), task, x;

            if (at >= size)
                break;
            task = victim * size + at;
            x = task + 1;
            for (uint k = 0; k < (task * 37u) % 64u; k++)
                x = x * 1664525u + 1013904223u;
            result[task] = x;
            who[task] = me;
            atomic_inc(done + task);
        }
    }
}

/* count[0]: places of the queue that are taken, count[16]: read, count[32]: vertices that
 * wait or are worked on. A place of the queue has a vertex + 1; 0: it comes yet. */
kernel WIDTH void bfs(global const uint *first, global const uint *edge,
                      volatile global uint *dist, volatile global uint *queue,
                      volatile global uint *count, volatile global uint *visits)
{
    local uint place, v;
    uint id = (uint)get_local_id(0), size = (uint)get_local_size(0);

    for (;;) {
        if (id == 0) {
            uint read = atomic_add(count + 16, 0u);

            v = 0;
            if (read < atomic_add(count, 0u) &&
                atomic_cmpxchg(count + 16, read, read + 1) == read)
                while ((v = atomic_add(queue + read, 0u)) == 0u)
                    ;
            place = v != 0 ? 1u : atomic_add(count + 32, 0u) == 0u ? 2u : 0u;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        uint what = place, vertex = v - 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (what == 2)
            return;
        if (what == 0)
            continue;
        uint d = atomic_add(dist + vertex, 0u) + 1;

        for (uint e = first[vertex] + id; e < first[vertex + 1]; e += size) {
            uint to = edge[e];

            if (atomic_min(dist + to, d) > d) {
                atomic_inc(count + 32);
                atomic_xchg(queue + atomic_inc(count), to + 1);
            }
        }
        if (id == 0)
            atomic_inc(visits + vertex);
        barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        if (id == 0)
            atomic_dec(count + 32);
    }
}

kernel WIDTH void clock_chase(global const char *lines, global uint *out,
                              global ulong *ticks, uint steps)
{
    uint at = 0;
    ulong before = __builtin_IB_read_cycle_counter();

    for (uint i = 0; i < steps; i++) {
        ulong now;

        at = *(volatile global const uint *)(lines + at);
        out[i & 15] = at;
        now = __builtin_IB_read_cycle_counter();
        ticks[i] = now - before;
        before = now;
    }
}
