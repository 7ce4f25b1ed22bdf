# SPDX-License-Identifier: MIT
# fish completion of limn; install as /usr/share/fish/vendor_completions.d/limn.fish
complete -c limn -a '(limn --complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
