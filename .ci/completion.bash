# completion.bash - words behind igpu and Vigpu in bash: commands and options as
# --help tells them, else files. Installed below bash-completion/completions.
_vigpu() {
    local word=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]} command=() i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD && i <= 2; i++)); do
        case "${COMP_WORDS[i]}" in -* | */* | *.*) break ;; esac
        [ "${program##*/}" = Vigpu ] || command+=("${COMP_WORDS[i]}")
    done
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$program" "${command[@]:0:1}" --help 2>/dev/null |
            grep -oE -- '(^|[ ,[])--?[A-Za-z][a-z-]*' | tr -d ' ,[')" -- "$word")
    elif [ "$COMP_CWORD" = 1 ] && [ "${program##*/}" != Vigpu ]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$program" --help 2>/dev/null |
            sed -n 's/^  *\([a-z]\{2,\}\)  *[a-z].*/\1/p')" -- "$word")
    fi
    [ ${#COMPREPLY[@]} != 0 ] || mapfile -t COMPREPLY < <(compgen -f -- "$word")
}
complete -o filenames -F _vigpu igpu ./igpu Vigpu ./Vigpu
