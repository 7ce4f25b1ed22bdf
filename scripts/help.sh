# SPDX-License-Identifier: MIT
# For scripts, which source it at their top: --help prints the comment at their head, no_option WORD
# ends them for a command line that is wrong.
no_option() {
	echo "${0##*/}: no option $1 (--help tells more)" >&2
	exit 2
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
