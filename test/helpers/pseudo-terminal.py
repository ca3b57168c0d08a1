"""Runs a command on a terminal of its own, which can be closed from outside, as a window is.

Takes the command as its arguments, orders as lines of JSON on stdin, and tells what happens as lines of JSON on stdout.
With CONTROLLING=no the command has the terminal on its streams but gets no SIGHUP from it.
"""
import fcntl
import json
import os
import select
import signal
import struct
import sys
import termios
import time

controlling = os.environ.pop("CONTROLLING", "yes") == "yes"
master, slave = os.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))


def tell(**what):
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


pid = os.fork()
if pid == 0:
    os.setsid()
    if controlling:
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for fd in (0, 1, 2):
        os.dup2(slave, fd)
    os.closerange(3, 64)
    os.execvp(sys.argv[1], sys.argv[1:])
tell(pid=pid)

wake, woken = os.pipe()
os.set_blocking(woken, False)
signal.set_wakeup_fd(woken)
signal.signal(signal.SIGCHLD, lambda *_: None)


def close():
    global master
    os.close(slave)
    os.close(master)
    master = None


def obey(order):
    # Nobody types on a terminal that is closed.
    if "type" in order and master is not None:
        os.write(master, order["type"].encode())
    if "columns" in order and master is not None:
        fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", order["rows"], order["columns"], 0, 0))
    if "signal" in order:
        os.kill(pid, getattr(signal, order["signal"]))
    if order.get("close") and master is not None:
        close()


orders = b""
since = time.monotonic()
open_stdin = True
while True:
    # A child that ended before the wake-up was there is seen here.
    ended, status = os.waitpid(pid, os.WNOHANG)
    if ended:
        break
    fds = [wake] + ([0] if open_stdin else []) + ([master] if master is not None else [])
    ready, _, _ = select.select(fds, [], [], 1)
    if wake in ready:
        os.read(wake, 64)
    if master is not None and master in ready:
        tell(output=os.read(master, 65536).decode("utf8", "replace"))
    if 0 in ready:
        read = os.read(0, 65536)
        open_stdin = read != b""
        if not open_stdin:
            # Whoever ran this is gone.
            os.kill(pid, signal.SIGKILL)
        *lines, orders = (orders + read).split(b"\n")
        for line in lines:
            since = time.monotonic()
            obey(json.loads(line))

seconds = time.monotonic() - since
cooked = None
if master is not None:
    cooked = bool(termios.tcgetattr(slave)[3] & termios.ICANON)
    os.set_blocking(master, False)
    try:
        tell(output=os.read(master, 65536).decode("utf8", "replace"))
    except OSError:
        pass
tell(code=os.waitstatus_to_exitcode(status), seconds=seconds, cooked=cooked)
