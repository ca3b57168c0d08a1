// Runs on another platform than this one, emulated, by the Node.js of the package there: tries the program as its users would.
// Prints a line for each check.
const {spawn, spawnSync} = require('node:child_process')
const {closeSync, mkdirSync, openSync, readFileSync, writeFileSync} = require('node:fs')
const {join} = require('node:path')

/** How many times slower than the processor of this machine. */
const [package_, echo, seed, slowness = '1'] = process.argv.slice(2)
const isWindows = process.platform === 'win32'
const launcher = isWindows ? 'cardctl.exe' : 'cardctl'
const exe = join(package_, launcher)
const root = isWindows ? 'C:\\checks' : '/tmp/checks'
/** Of nobody. */
const RECIPIENT = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'
mkdirSync(root)
const check = (name, isGood, shown) =>
  process.stdout.write(`${isGood ? 'ok' : 'FAULT'}\t${name}${isGood ? '' : `\t${JSON.stringify(shown)}`}\n`)

function homeAt(name) {
  const home = join(root, name)
  for (const folder of ['', 'Roaming', 'Local']) mkdirSync(join(home, folder), {recursive: true})
  return {
    ...process.env,
    USERPROFILE: home,
    HOME: home,
    APPDATA: join(home, 'Roaming'),
    LOCALAPPDATA: join(home, 'Local'),
    CARDCTL_PROFILE: 'sandbox',
  }
}
const run = (env, argv, options = {}) => {
  const {status, stdout, stderr} = spawnSync(exe, argv, {env, encoding: 'utf8', input: '', ...options})
  return {status, stdout, stderr}
}
const WRITE = value => [
  'accounts',
  'patch',
  '2001',
  '--type',
  'credit',
  '-F',
  `creditLimit=${value}`,
  '--yes',
]
const good = (name, end) => check(name, end.status === 0, end)
const rowsOf = text => text.split(/\r?\n/).filter(line => line !== '').length - 1

async function main() {
  const env = homeAt('plain')
  for (const argv of [
    ['--version'],
    ['--help'],
    ['cards', 'get', '3001', '-o', 'json'],
    WRITE(5000),
    WRITE(5001),
    ['requests', 'list'],
    ['requests', 'undo', '--yes'],
    ['history', 'account', '2001'],
    ['a2a', 'create', '--transfer', '2006:2007:1.00:EUR:rent', '--yes'],
    ['audit', 'verify'],
    ['data', 'where'],
    ['report', 'shift', '--html', join(root, 'shift.html')],
    ['doctor'],
    ['tour'],
  ])
    good(argv.join(' '), run(env, argv))

  arguments_()
  await locks()
  await kills()
  await served()
  await listens()
  files()
}

/** What the program gets is what was given, for arguments that quoting goes wrong with. */
function arguments_() {
  let state = Number(seed)
  const random = below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const pieces = [
    '"',
    '\\',
    '%',
    '%PATH%',
    '^',
    '&',
    '!',
    ' ',
    '\t',
    '|',
    '<',
    '>',
    '(',
    ')',
    "'",
    '`',
    '=',
    'a',
    'ä',
    '€',
    '李',
    '*',
    '?',
  ]
  for (let at = 0; at < 100; at++) {
    const argv = Array.from({length: 1 + random(4)}, () =>
      Array.from({length: random(8)}, () => pieces[random(pieces.length)]).join(''),
    )
    const {stdout} = spawnSync(join(echo, launcher), argv, {encoding: 'utf8'})
    if (stdout !== JSON.stringify(argv)) return check('arguments arrive whole', false, {argv, stdout})
  }
  check('arguments arrive whole (100 lists)', true)
}

/** Processes that write at once lose nothing. */
async function locks() {
  const env = homeAt('locks')
  run(env, WRITE(4000))
  const ends = await Promise.all(
    Array.from({length: 6}, (_, at) => ended(spawn(exe, WRITE(5000 + at), {env, stdio: 'ignore'}))),
  )
  check(
    'six processes write at once',
    ends.every(code => code === 0),
    ends,
  )
  const {stdout} = run(env, ['requests', 'list', '-o', 'csv', '--limit', '100'])
  check('the journal has each of their requests', rowsOf(stdout) === 7, stdout)
  good('the audit trail is whole', run(env, ['audit', 'verify']))
}

const ended = child => new Promise(resolve => child.on('exit', code => resolve(code)))
const wait = ms => new Promise(resolve => setTimeout(resolve, ms * Number(slowness)))

/** A bulk run that is ended at once (TerminateProcess, kill -9) goes on, and each row is sent once. */
async function kills() {
  const env = homeAt('kills')
  const file = join(root, 'rows.csv')
  const rows = 200
  writeFileSync(
    file,
    `id,creditLimit\r\n${Array.from({length: rows}, (_, at) => `2001,${5000 + at}\r\n`).join('')}`,
  )
  const slowly = ['--yes', '--rate', '10/s']
  const started = argv => {
    const child = spawn(exe, [...argv, ...slowly], {env, stdio: 'ignore'})
    const end = ended(child)
    return async () => {
      child.kill('SIGKILL')
      await end
    }
  }
  const jobOf = () => JSON.parse(run(env, ['bulk', 'list', '-o', 'json']).stdout)[0]
  let kill = started(['bulk', 'run', 'accounts.patchCredit.v4', '--from', file])
  let job
  for (let at = 0; at < 100 && !(job?.done > 0); at++) {
    await wait(200)
    job = jobOf()
  }
  await kill()
  job = jobOf()
  check('a killed run is left unfinished', job?.done > 0 && job.left > 0, job)
  for (let at = 0; at < 3; at++) {
    kill = started(['bulk', 'resume', job.job])
    await wait(900)
    await kill()
  }
  const end = run(env, ['bulk', 'resume', job.job, '--yes', '-o', 'json'])
  good('it is resumed to its end', end)
  job = jobOf()
  const {stdout} = run(env, ['bulk', 'results', job.job, '-o', 'csv'])
  check('each row is done once', rowsOf(stdout) === rows && !/,(?:failed|unknown|waiting),/.test(stdout), {
    job,
    stdout: stdout.slice(0, 400),
  })
}

/** Starts a server and waits for its address. */
async function start(env, ...argv) {
  const out = join(root, `${argv[0]}.txt`)
  const file = openSync(out, 'w')
  const server = spawn(exe, [...argv, '--port', '0', '-o', 'ndjson'], {env, stdio: ['ignore', file, file]})
  let url
  for (let at = 0; at < 200 && url === undefined; at++) {
    await wait(50)
    url = /http:\/\/127\.0\.0\.1:\d+/.exec(readFileSync(out, 'utf8'))?.[0]
  }
  check(`${argv.join(' ')} listens`, url !== undefined, readFileSync(out, 'utf8'))
  const stop = async () => {
    const end = ended(server)
    server.kill('SIGKILL')
    await end
    closeSync(file)
  }
  return {url: url ?? '', stop}
}

/** A sandbox for other processes, on loopback. */
async function served() {
  const env = homeAt('served')
  const {url, stop} = await start(env, 'sandbox', 'serve', '--memory')
  good(
    'a profile leads to it',
    run(env, ['profiles', 'add', 'here', '--kind', 'test', '--base-url', url, '--auth', 'none']),
  )
  good('it is read', run(env, ['cards', 'get', '3001', '-p', 'here']))
  good('it is written to', run(env, [...WRITE(5000), '-p', 'here']))
  await stop()
  check(
    'nothing listens after the launcher was ended',
    run(env, ['cards', 'get', '3001', '-p', 'here']).status !== 0,
  )
}

/** Authorisation calls to a listener, on loopback. */
async function listens() {
  const env = homeAt('listens')
  const deadline = ['--deadline', `${2 * Number(slowness)}s`]
  const {url, stop} = await start(env, 'webhook', 'serve', ...deadline)
  good(
    'it approves a call',
    run(env, ['webhook', 'trigger', 'auth', '--to', url, '--card', '3001', ...deadline]),
  )
  const events = run(env, ['webhook', 'events', 'list', '-o', 'csv'])
  check('it recorded the call', events.status === 0 && rowsOf(events.stdout) === 1, events)
  await stop()
}

/** Names and forms of paths. */
function files() {
  const odd = homeAt('ä ö & 100% (x) 李')
  good('a home with spaces, umlauts and signs', run(odd, WRITE(5000)))
  good('its journal is read', run(odd, ['requests', 'list']))
  const env = homeAt('files')
  run(env, WRITE(5000))
  const long = join(root, 'l'.repeat(100), 'm'.repeat(100), 'n'.repeat(100))
  mkdirSync(long, {recursive: true})
  good(
    'a path of more than 260 characters',
    run(env, ['report', 'shift', '--html', join(long, 'shift.html')]),
  )
  if (isWindows)
    good(
      'a path after \\\\?\\',
      run(env, ['report', 'shift', '--html', `\\\\?\\${join(root, 'shift-2.html')}`]),
    )
  const kept = join(root, 'kept.bin')
  good('data is exported', run(env, ['data', 'export', kept, '--recipient', RECIPIENT]))
  const none = {...env}
  for (const name of ['USERPROFILE', 'HOME', 'APPDATA', 'LOCALAPPDATA', 'HOMEDRIVE', 'HOMEPATH'])
    delete none[name]
  const {status, stderr} = run(none, ['cards', 'get', '3001'])
  check('no home is no defect', !stderr.includes('INTERNAL'), {status, stderr})
}

main().then(() => process.stdout.write('end\n'))
