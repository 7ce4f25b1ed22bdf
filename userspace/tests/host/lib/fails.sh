# SPDX-License-Identifier: MIT
# For tests of commands that must fail: sourced. $dir: where output goes; sets $failed.

# The command leaves exit status 1 (or what $want says), one message on stderr that has the text in it, nothing on stdout, and no picture.
# A message about a text has more lines behind it, which begin with blanks: the text's, a caret, the form.
fails() { # NAME TEXT COMMAND...
	local name=$1 text=$2 status
	shift 2
	"$@" 2>"$dir/$name.err" >"$dir/$name.out"
	status=$?
	grep -v '^testbed: \|^| \|^model: \|^  ' "$dir/$name.err" >"$dir/$name.line"
	if [ $status != "${want:-1}" ] || ! grep -q -e "$text" "$dir/$name.line" ||
	   [ "$(wc -l <"$dir/$name.line")" != 1 ] || [ -s "$dir/$name.out" ]; then
		echo "FAILED: $name: status $status, wanted ${want:-1} and one line with '$text':"
		cat "$dir/$name.out" "$dir/$name.err"
		failed=1
	fi
	if ls "$dir/$name.png"* >/dev/null 2>&1; then
		echo "FAILED: $name left a picture"
		failed=1
	fi
}
