#!/bin/sh
# nextpnr.sh NEXTPNR-ECP5 OPTIONS... - place and route as a design needs that is mostly wires.
# Placer static has the shortest wires; it wants a pin for each clock from which global wires
# begin. router2 has settings without options, which nextpnr takes from the netlist: with its
# own (0.5, 2 and 1.25) rounds end with ever more disputes; so a disputed wire is dear from
# the first round on and grows dearer slowly, and a way is judged by what it costs, without
# haste (docs/develop/eu-pipeline.md, Size).
set -eu
tool=$1
shift
last=
for word in "$@"; do
    [ "$last" != --json ] || python3 "$(dirname "$0")/settings.py" "$word" \
        router2/initCurrCongWeight=3.0 router2/currCongWeightMult=0.5 router2/estimateWeight=1.0
    last=$word
done
exec "$tool" --placer static --router router2 "$@"
