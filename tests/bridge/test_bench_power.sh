#!/bin/sh
# igpu bench flop, memory, power: paper 2's figures as far as they are published, what
# is refused, and that the counters' reading agrees with the model's own sum.
# tests/run: timeout=600 slow turn=1of3
. tests/support/cli.sh
own_cache

# table NAME ARGS: into $IGPU_TMP/NAME.json
table() {
    name=$1
    shift
    "$igpu" bench "$@" -c kbl-gt2 --quiet --json "$IGPU_TMP/$name.json" >/dev/null
    report $? "igpu bench $*"
}
# holds WHAT PYTHON: T(name) is a table, one(name, key, vector, groups) a number.
holds() {
    python3 -c "import json
def T(name):
    t = json.load(open('$IGPU_TMP/' + name + '.json'))
    return t if isinstance(t, list) else [t]
def one(name, key, vector, groups):
    return next(r[key] for r in T(name) if (r['vector'], r['work_groups']) == (vector, groups))
V, W = (1, 2, 4, 8, 16), (1, 4, 16)
import sys
sys.exit(0 if ($2) else '# ' + $(printf '%s' "'''$2'''"))"
    report $? "$1"
}

table private power --variant private --work-groups 21
table loop flop --variant loop --vector 1,4,16 --work-groups 1..3,9,21 --loops 1024
table serrated flop --variant private --vector 1,4,16 --work-groups 5..10
for op in add sub mul; do table $op flop --op $op --variant unrolled128 --vector 4 --work-groups 21; done
for type in half int double; do table $type flop --type $type --variant unrolled128 --vector 4 --work-groups 21; done
table div flop --op div --vector 1,4 --work-groups 3
table single flop --variant single --vector 4 --work-groups 21
table l3 memory --work-groups 168

holds "the peak of a mad is 403.2 GFLOP/s" "abs(one('loop', 'peak_gflops', 1, 21) - 403.2) < 0.01"
holds "private memory reaches 97 % of it with every vector type" \
    "all(one('private', 'gflops', v, 21) >= 0.97 * 403.2 for v in V)"
holds "other operations have half of it" "all(abs(one(op, 'peak_gflops', 4, 21) - 201.6) < 0.01
    and 195 < one(op, 'gflops', 4, 21) < 201.6 for op in ('add', 'sub', 'mul'))"
holds "half twice of it, double a quarter" "760 < one('half', 'gflops', 4, 21) < 806.4
    and 95 < one('double', 'gflops', 4, 21) < 100.8"
holds "all rows have time, counters and power" "all(r[k] > 0 for n in ('loop', 'div', 'single', 'l3')
    for r in T(n) for k in ('time_us', 'eu_active_percent', 'igpu_w', 'pkg_w', 'dram_w', 'readings'))"
holds "the spread between vector types falls with work-groups" "(lambda s: s(21) < s(9) < s(3) < s(1))(
    lambda g: (lambda x: (max(x) - min(x)) / max(x))([one('loop', 'gflops', v, g) for v in W]))"
holds "curves have peaks at multiples of 3 work-groups" "all(
    one('serrated', 'gflops', v, n - 1) < one('serrated', 'gflops', v, n) > one('serrated', 'gflops', v, n + 1)
    and one('serrated', 'igpu_w', v, n - 1) < one('serrated', 'igpu_w', v, n) > one('serrated', 'igpu_w', v, n + 1)
    for v in W for n in (6, 9))"
holds "at few work-groups vect16 is the most efficient" "all(max(W, key=lambda v: one('loop', 'gflops_per_watt', v, g)) == 16
    for g in (1, 2, 3))"
holds "bandwidth: vect4 is best, vect16 below scalar" "one('l3', 'gb_per_s', 4, 168) == max(
    one('l3', 'gb_per_s', v, 168) for v in V) and one('l3', 'gb_per_s', 16, 168) < one('l3', 'gb_per_s', 1, 168)"
holds "best efficiency: 35 GFLOPS/W within 10 %" "31.5 < max(r['gflops_per_watt'] for r in T('private')) < 38.5"
holds "vect4 is the most efficient, vect16 the least" "(lambda e: max(e, key=e.get) == 4 and min(e, key=e.get) == 16)(
    {v: one('private', 'gflops_per_watt', v, 21) for v in V})"
holds "the counters' reading is the model's sum within the method's error" "all(
    abs(r['igpu_w'] - r['model_igpu_w']) <= r['model_igpu_w'] * r['method_error_percent'] / 100
    for r in T('private'))"
holds "a 15 W part stays below 15 W" "all(0 < r['pkg_w'] < 15 for n in ('private', 'loop', 'half', 'int',
    'double', 'add', 'mul', 'l3') for r in T(n))"

table clocks power --variant private --vector 4 --work-groups 21 --clock 300,700,1050
holds "a slower clock takes less power at a lower voltage" "(lambda t: t[0]['igpu_w'] < t[1]['igpu_w'] < t[2]['igpu_w']
    and t[0]['volts'] < t[1]['volts'] < t[2]['volts'] and abs(t[2]['clock_mhz'] - 1050) < 1e-6)(T('clocks'))"
holds "the first clock leaves no time to sleep" "abs(T('clocks')[0]['idle_uj'] - T('clocks')[0]['launch_uj']) < 1e-6
    and T('clocks')[2]['idle_uj'] > T('clocks')[2]['launch_uj']"

expect 2 "a clock below the table" "$igpu" bench power --clock 200
expect 2 "two kinds of clock" "$igpu" bench power --clock 0,700
expect 2 "one launch leaves nothing to measure" "$igpu" bench flop --launches 1
expect 2 "an operation that is not there" "$igpu" bench flop --op sqrt
expect 2 "a vector of three" "$igpu" bench power --vector 3
expect 2 "a level the part has not" "$igpu" bench memory --level edram
