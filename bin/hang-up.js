// Whether SIGHUP is to be ignored. Node sets every signal back to its default before any of our code runs, so what nohup
// or a service manager had set can't be asked for any more; their traces can.
const {readFileSync, readlinkSync} = require('node:fs')
const {basename} = require('node:path')

function isHangUpIgnored() {
  return isUnderNohup() || doesParentIgnore()
}

/** What makes a child of this process ignore it too. */
const ignoringHangUp = {_: 'nohup'}

/** Shells name the program that they start in `_`. nohup of GNU puts a /dev/null that can't be read in place of a terminal. */
function isUnderNohup() {
  if (basename(process.env._ ?? '') === 'nohup') return true
  try {
    const flags = /^flags:\s*(\d+)/m.exec(readFileSync('/proc/self/fdinfo/0', 'latin1'))?.[1] ?? ''
    return readlinkSync('/proc/self/fd/0') === '/dev/null' && flags.endsWith('1')
  } catch {
    // Not on Linux, or stdin is closed.
    return false
  }
}

/** A shell after `trap '' HUP`, or a service manager: it passes on what it ignores itself. */
function doesParentIgnore() {
  try {
    const status = readFileSync(`/proc/${process.ppid}/status`, 'latin1')
    const ignored = /^SigIgn:\s*([\da-f]+)/m.exec(status)?.[1] ?? '0'
    return (Number.parseInt(ignored.slice(-1), 16) & 1) === 1
  } catch {
    return false
  }
}

module.exports = {ignoringHangUp, isHangUpIgnored}
