# SPDX-License-Identifier: MIT
# For scripts, which source it at their top: --help prints the comment at their head; no_option WORD and
# one_of KIND WORD NAME... end them for a command line that is wrong.
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
