#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""watch-gputop.py "ENGINE..." COMMAND...: runs gputop on a terminal of its own until it shows what it should.

That is a table of just these engines, and in it a client called limn with memory, and time on one of them.
Exit status 1 when it never does, in as many of its turns as it takes to be sure.
"""
import fcntl
import os
import pty
import re
import struct
import sys
import termios

TURNS = "120"

engines = sys.argv[1].split()
pid, terminal = pty.fork()
if not pid:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    os.execv(sys.argv[2], [*sys.argv[2:], "-d", "0.5", "-n", TURNS])

text = ""
seen = None
while not seen:
    try:
        data = os.read(terminal, 4096)
    except OSError:
        break
    text = (text + data.decode(errors="replace"))[-100000:]
    for head, client in re.findall(r"PID +MEM +RSS +(.*?) +NAME.*\n *\d+ +(.*\| limn)\b", text):
        memory = client.split()[:2]
        busy = [float(percent) for percent in re.findall(r"([\d.]+)%", client)]
        if head.split() == engines and len(busy) == len(engines) and any(busy) and \
                all(re.fullmatch(r"[1-9]\d*[KM]?", size) for size in memory):
            seen = f"{', '.join(engines)}: {busy} %, memory {memory}"
os.close(terminal)
os.kill(pid, 15)
os.waitpid(pid, 0)
print(seen or f"no client limn with time on {engines} in:\n{text[-2000:]}")
sys.exit(0 if seen else 1)
