#!/usr/bin/env bash
# make.sh FOLDER [OUT] - the table that igpu predict is trained on (docs/guide/predict.md), anew:
# record the workloads into FOLDER, simulate them through igpu sweep, write the table to OUT
# (default FOLDER/data). Run it again after an interruption: it goes on. From the top folder,
# after `make igpu python`. JOBS: simulations at a time (1).
#
# Programs of Debian that are installed are recorded too (programs.sh).
set -eu
folder=$(realpath -m "${1:?usage: make.sh FOLDER [OUT]}")
out=$(realpath -m "${2:-$folder/data}")
here=traces/workloads igpu=$PWD/igpu
mkdir -p "$folder"/{suite,large,sizes,progs,swept}
[ -e "$folder/suite/.done" ] || { "$igpu" suite --traces "$folder/suite" traces/kernels/cases.yaml && touch "$folder/suite/.done"; }
[ -e "$folder/large/.done" ] || { "$igpu" suite --traces "$folder/large" traces/kernels/cases_large.yaml && touch "$folder/large/.done"; }
# Of the large ones, those of over 10 million instructions are left out.
rm -f "$folder"/large/{monte_pi,random_walk,triangles,scan_groups}_*.pb
while read -r name words; do
    # shellcheck disable=SC2086
    [ -s "$folder/sizes/$name.pb" ] || "$igpu" record --quiet -o "$folder/sizes/$name.pb" $words
done <$here/sizes.txt
$here/programs.sh "$folder" "$igpu"
while read -r name; do
    ln -sf "$(ls "$folder"/{sizes,suite,large}/"$name.pb" 2>/dev/null | head -n 1)" "$folder/swept/"
done <$here/swept.txt
cp $here/*.yaml "$folder"
for sweep in machines swept; do
    "$igpu" sweep "$folder/$sweep.yaml" -o "$folder/table.sqlite" -j "${JOBS:-1}"
done
"$igpu" predict table "$folder/table.sqlite" -o "$out"
