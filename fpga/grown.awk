# grown.awk - awk -v update=COMMAND -f grown.awk BASELINE SIZES: fails when a count is more
# than 5 % above the baseline's, or a row is not in it. The second line of both names the
# columns: # row column...
NR == 2 { split($0, name) }
/^#/ { next }
NR == FNR { for (i = 2; i <= NF; i++) old[$1, i] = $i; known[$1] = 1; next }
!known[$1] { print $1 " is not in the baseline"; grown = 1; next }
{
    for (i = 2; i <= NF; i++)
        if (100 * $i > 105 * old[$1, i]) {
            printf "%s %s grew from %d to %d\n", $1, name[i + 1], old[$1, i], $i
            grown = 1
        } else if (100 * $i < 95 * old[$1, i])
            smaller = 1
}
END {
    if (grown)
        print "more than 5 %: make it smaller, or accept it with " update \
              " and say why in the commit"
    else if (smaller)
        print "smaller by over 5 %: keep it with " update
    else
        print "within 5 % of the baseline"
    exit grown
}
