// Runs under any Node that knows ES modules: hands over to the runtime that the package `node` carries.
const {spawn} = require('node:child_process')
const {existsSync} = require('node:fs')
const {join} = require('node:path')
const {ignoringHangUp, isHangUpIgnored} = require('./hang-up.js')

const PROGRAM = join(__dirname, 'child.js')

function rerun() {
  const runtime = join(__dirname, '../node_modules/node/bin/node')
  if (!existsSync(runtime)) {
    process.stderr.write(
      `cardctl needs Node.js 24.15 or newer; this is ${process.versions.node}. See nodejs.org.\n`,
    )
    process.exitCode = 3
    return
  }
  const isIgnored = isHangUpIgnored()
  const child = spawn(runtime, [PROGRAM, ...process.argv.slice(2)], {
    // Nothing is ever said over the channel: it ends with this process, however that ends.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: isIgnored ? {...process.env, ...ignoringHangUp} : process.env,
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  process.on('SIGHUP', () => isIgnored || child.kill('SIGHUP'))
  child.on('error', () => {
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    if (signal) {
      process.removeAllListeners(signal)
      process.kill(process.pid, signal)
    } else {
      process.exitCode = code ?? 1
    }
  })
}

module.exports = {rerun}
