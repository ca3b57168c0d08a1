// The program as a child of rerun.js: where that is killed for good, nobody else could tell this process to end.
// On Windows, a signal to a process ends it at once, without its listeners.
process.once('disconnect', () => process.emit('SIGTERM', 'launcher') || process.kill(process.pid, 'SIGTERM'))
// To listen is no reason to stay alive.
process.channel?.unref()
require('./run.js')
