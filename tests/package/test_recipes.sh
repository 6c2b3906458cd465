#!/bin/bash
# The recipes of docs/develop/adding.md, walked: in a copy of the project, each with the
# edits that the page tells and no other; one build, and each shows.
# tests/run: long timeout=900
. tests/support/cli.sh
tree=$IGPU_TMP/tree
mkdir -p "$tree"
git ls-files -z | xargs -0 cp -a --parents -t "$tree"
cp -a "$IGPU_BUILD" "$tree/build"
cd "$tree" || exit 1

# edit FILE LINE-PATTERN TEXT: the text in front of the first line with the pattern.
: >edited_files
edit() {
    echo "$1" >>edited_files
    awk -v pattern="$2" -v text="$3" '!done && $0 ~ pattern { print text; done = 1 } { print }
        END { exit !done }' "$1" >edited && mv edited "$1"
    report $? "edit: $1"
}
# change FILE EXPRESSION: sed's, which changes something.
change() {
    echo "$1" >>edited_files
    sed "$2" "$1" >edited && ! cmp -s edited "$1" && mv edited "$1"
    report $? "change: $1"
}
# recipe WHAT MOST: in how many files the last recipe's edits were.
recipe() {
    edits=$(sort -u edited_files | wc -l)
    [ "$edits" -le "$2" ]
    report $? "$1: edits in $edits files"
    : >edited_files
}

edit csim/include/igpu/params_mem.def '^IGPU_PARAM\(l3_sets' \
    'IGPU_PARAM(l3_extra, "l3.extra", 0, 0, 100, "cycle", "estimate: a recipe")'
change csim/mem/l3.c 's/now + l3->config->l3_latency/now + l3->config->l3_extra + l3->config->l3_latency/'
recipe "a parameter" 2
edit csim/include/igpu/mem_stats.def '^MEM_STAT\(l3, hits' \
    'MEM_STAT(l3, answers, "line", "a recipe")'
edit csim/mem/l3.c 'p->kind = PACKET_LINE;' '    l3->stats->l3_answers++;'
recipe "a statistic of the memory side" 2
edit csim/mem/policy.c '^static const struct igpu_replacement tree_policy' \
    'static uint32_t first_victim(const void *set, uint32_t ways, uint32_t index)
{
    (void)set, (void)ways, (void)index;
    return 0;
}

static void first_touch(void *set, uint32_t ways, uint32_t way)
{
    (void)set, (void)ways, (void)way;
}

static const struct igpu_replacement first_policy = {
    IGPU_POLICY_VERSION, "first", random_bytes, first_victim, first_touch, first_touch};
'
edit csim/mem/policy.c 'case IGPU_TREE_PLRU:' '    case IGPU_FIRST:
        return &first_policy;'
change csim/include/igpu/config.h 's/IGPU_SRRIP, IGPU_TREE_PLRU }/IGPU_SRRIP, IGPU_TREE_PLRU, IGPU_FIRST }/'
change csim/include/igpu/params_mem.def \
    '/"l3.policy"/s/0, 3, "lru|random|srrip|tree-plru"/0, 4, "lru|random|srrip|tree-plru|first"/'
recipe "a policy" 3
edit csim/gfx/packets.def '^GFX_PACKET\(STATE_SIP' 'GFX_PACKET(STATE_RECIPE, 0x6999, recipe)'
edit csim/gfx/gfx_commands.c '^static enum igpu_status base_addresses' \
    'static enum igpu_status recipe(struct gfx *g, const uint32_t *p, uint32_t n)
{
    (void)p, (void)n;
    return gfx_refuse(g, "a recipe");
}
'
recipe "a packet" 2
edit csim/include/igpu/gfx_counters.def '^GFX_COUNTER\(commands' 'GFX_COUNTER(recipes, "recipes", "a recipe")'
recipe "a counter of the 3D pipeline" 1
cat >bridge/programs/igpu/cmd_recipe.c <<'END'
/* cmd_recipe.c - `igpu recipe`. */
#include <stdio.h>

#include "bridge/programs/igpu/commands.h"

int cmd_recipe(int argc, char **argv)
{
    (void)argc;
    puts(argv[0]);
    return 0;
}
END
edit bridge/programs/igpu/commands.h '^int cmd_disasm' 'int cmd_recipe(int argc, char **argv);'
edit bridge/programs/igpu/igpu_main.c '"params", "each parameter' \
    '    {"recipe", "a recipe", cmd_recipe, false},'
echo bridge/programs/igpu/cmd_recipe.c >>edited_files
recipe "a command" 3

{ make -s params && make igpu; } >"$IGPU_TMP/log" 2>&1
good=$?
[ $good = 0 ] || { grep -m 5 -E 'error|\*\*\*' "$IGPU_TMP/log" | sed 's/^/# /'; }
report $good "it builds"
sample=traces/samples/chase_n.pb
json() { ./igpu ref --quiet --json - "$@" $sample; }
[ "$(json | grep -m 1 '"cycles"')" != "$(json -s l3.extra=20 | grep -m 1 '"cycles"')" ]
report $? "the parameter makes it slower"
./igpu params l3.extra | grep -q 'a recipe'
report $? "the parameter is told"
json | grep -q '"answers": [1-9]'
report $? "the statistic counts"
json -s l3.policy=first | grep -q '"cycles"'
report $? "the policy has its name"
[ "$(./igpu recipe)" = recipe ] && ./igpu --help | grep -q ' recipe '
report $? "the command runs, and is in the help"
./igpu frame counters | grep -q 'a recipe'
report $? "the counter is told"
python3 tests/lint/layers.py build/obj >"$IGPU_TMP/layers" && ! grep cmd_recipe "$IGPU_TMP/layers"
report $? "no layer lacks the command"
exit $failures
