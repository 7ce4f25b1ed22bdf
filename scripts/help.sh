# SPDX-License-Identifier: MIT
# For scripts, which source it at their top: --help prints the comment at their head; the functions end them
# for a command line that is wrong.
no_option() {
	echo "${0##*/}: no option $1 (--help tells more)" >&2
	exit 2
}
# one_of KIND WORD NAME...: ends them, too, unless the word is one of the names.
one_of() {
	local kind=$1 word=$2 name
	shift 2
	for name; do
		[ "$name" != "$word" ] || return 0
	done
	name=$(python3 -c 'import difflib, sys; print(*difflib.get_close_matches(sys.argv[1], sys.argv[2:], 1))' "$word" "$@" 2>/dev/null)
	echo "${0##*/}: no $kind '$word'; ${name:+did you mean $name? }there are: $*" >&2
	exit 2
}
# one_gpu NAME...: the same of the model's GPUs, and two as one machine; where the model is not built any will do.
one_gpu() {
	local model gpu part
	model=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../build/limn-model
	[ -x "$model" ] || return 0
	for gpu; do
		for part in ${gpu//+/ }; do
			# shellcheck disable=SC2046 # words on purpose
			one_of GPU "$part" $("$model" --list)
		done
	done
}
# whole OPTION [VALUE]: the same unless the value is a whole number above 0.
whole() {
	[ $# = 2 ] || { echo "${0##*/}: $1: its value is missing" >&2; exit 2; }
	[[ $2 =~ ^[1-9][0-9]*$ ]] || { echo "${0##*/}: $1 $2: a whole number of 1 or more is expected" >&2; exit 2; }
}
# A script as it was before it had a --help: caches go by its text, and building what is in them takes long. Lines
# that end in "# help" are left out.
without_help() {
	sed -e '/# help$/d; /^# example: /d' -e 's/without_help "\$0" | cat -/cat "$0"/' \
		-e 's/without_help "\$0" | sha256sum/sha256sum "$0"/' "$1"
}
for help_word; do
	case $help_word in
	-h | --help)
		awk 'NR > 2 && !/^#/ { exit } NR > 2 { sub(/^#[ \t]?/, ""); print }' "$0"
		exit 0
		;;
	--) break ;;
	esac
done
