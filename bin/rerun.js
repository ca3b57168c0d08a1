// Runs under Node 18 and later: hands over to the runtime that the package `node` carries.
const {spawn} = require('node:child_process')
const {existsSync, readFileSync} = require('node:fs')
const {join} = require('node:path')
const {ignoringHangUp, isHangUpIgnored} = require('./hang-up.js')
const {isNewEnough} = require('./needs-node.js')

const PROGRAM = join(__dirname, 'child.js')

/** Where npm puts the package `node`: below the project in a clone, beside cardctl in an installation. */
const PACKAGES = ['../node_modules/node', '../../node'].map(path => join(__dirname, path))

/** The runtime, if it is there and new enough. */
function findRuntime() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const found = PACKAGES.find(folder => existsSync(join(folder, 'bin', name)) && isRuntime(folder))
  return found && join(found, 'bin', name)
}

function isRuntime(folder) {
  try {
    return isNewEnough(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version)
  } catch {
    return false
  }
}

/** Returns false if there is no runtime to hand over to. */
function rerun() {
  const runtime = findRuntime()
  if (runtime === undefined) return false
  const isIgnored = isHangUpIgnored()
  const child = spawn(runtime, [PROGRAM, ...process.argv.slice(2)], {
    // Nothing is ever said over the channel: it ends with this process, however that ends.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: isIgnored ? {...process.env, ...ignoringHangUp} : process.env,
  })
  // A console of Windows tells every process in it, and there a signal sent to a child ends it at once.
  const passOn = signal => process.platform === 'win32' || child.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM', ...(process.platform === 'win32' ? ['SIGBREAK'] : [])])
    process.on(signal, () => passOn(signal))
  process.on('SIGHUP', () => isIgnored || passOn('SIGHUP'))
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
  return true
}

module.exports = {rerun}
