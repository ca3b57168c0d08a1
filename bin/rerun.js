// Runs under Node 18 and later: hands over to the runtime that is installed with cardctl.
const {spawn} = require('node:child_process')
const {existsSync, readFileSync} = require('node:fs')
const {join} = require('node:path')
const {ignoringHangUp, isHangUpIgnored} = require('./hang-up.js')
const {isNewEnough, refuseOldNode} = require('./needs-node.js')
const runtimes = require('./runtimes.json')

const PROGRAM = join(__dirname, 'child.js')

/** The oldest glibc that the runtimes for Linux are built for. */
const OLDEST_GLIBC = [2, 28]

/** The package of this platform, or the package `node`, which somebody may have installed beside cardctl. */
const own = runtimes[`${process.platform}-${process.arch}`]
const PACKAGES = (own ? [own, 'node'] : ['node']).flatMap(name =>
  ['../node_modules', '../..'].map(folder => join(__dirname, folder, name)),
)

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

/** What is wrong with the C library of this system: the runtimes are linked with glibc. */
function faultOfLibrary() {
  if (process.platform !== 'linux') return undefined
  process.report.excludeNetwork = true
  const {glibcVersionRuntime: version} = process.report.getReport().header
  if (version === undefined) return 'this system has another C library, such as musl'
  const [major, minor] = version.split('.').map(Number)
  const isOld = major < OLDEST_GLIBC[0] || (major === OLDEST_GLIBC[0] && minor < OLDEST_GLIBC[1])
  return isOld ? `this system has ${version}` : undefined
}

/** What keeps a program from starting that is all right. */
const LIMITS = {EMFILE: 'ulimit -n 1024', EAGAIN: 'ulimit -u', ENOMEM: 'ulimit -v unlimited'}

const refuseLibrary = fault =>
  refuseOldNode(
    `Its own runtime needs glibc ${OLDEST_GLIBC.join('.')} or later, and ${fault}: install a newer Node.js that is built for this system`,
  )

function refuseMissing() {
  if (!own)
    return refuseOldNode(
      `There is no runtime of cardctl for ${process.platform} on ${process.arch}: install a newer Node.js from https://nodejs.org`,
    )
  const fault = faultOfLibrary()
  if (fault) return refuseLibrary(fault)
  refuseOldNode(
    'Its own runtime is not installed: install cardctl again without --omit=optional, or a newer Node.js from https://nodejs.org',
  )
}

/** Signals that end a process before it can say anything: `kill -9`, a system without memory, a runtime without memory. */
const AT_ONCE = ['SIGKILL', 'SIGABRT', 'SIGTRAP', 'SIGSEGV', 'SIGBUS', 'SIGILL']

const wantsJson = () =>
  / --log-format[= ]json /.test(`${process.argv.join(' ')} `) || process.env.CARDCTL_LOG_FORMAT === 'json'

/** What the program could not say itself. */
function sayEnded(signal) {
  const message = `cardctl was ended by ${signal}, from outside or for want of memory, and could not say what it had done.`
  const hint = 'What was sent: cardctl requests list. Next, for a bulk job: cardctl bulk resume last'
  const line = wantsJson()
    ? JSON.stringify({time: new Date().toISOString(), level: 'error', message, hint})
    : `Error: ${message}\n  ${hint}`
  process.stderr.write(`${line}\n`)
}

/** Starts the program with the runtime, or says why that can't be. */
function rerun() {
  const runtime = findRuntime()
  if (runtime === undefined) return refuseMissing()
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
  child.on('error', ({code, message}) => {
    const fault = faultOfLibrary()
    if (LIMITS[code])
      refuseOldNode(
        `Its own runtime does not start (${message}): raise the limit of this user, ${LIMITS[code]}`,
      )
    else if (fault) refuseLibrary(fault)
    else
      refuseOldNode(
        `Its own runtime does not start (${message}): install a newer Node.js from https://nodejs.org`,
      )
  })
  child.on('exit', (code, signal) => {
    if (signal) {
      if (AT_ONCE.includes(signal)) sayEnded(signal)
      process.removeAllListeners(signal)
      process.kill(process.pid, signal)
    } else {
      process.exitCode = code ?? 1
      // With an old glibc, the loader ends with 1.
      const fault = code === 1 && faultOfLibrary()
      if (fault) refuseLibrary(fault)
    }
  })
}

module.exports = {rerun}
