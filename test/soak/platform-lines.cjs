// Runs on another platform than this one, emulated, by the Node.js of the package there: tries the program as its users would.
// Prints a line for each check. "short" leaves out what takes long.
const {spawn, spawnSync} = require('node:child_process')
const {closeSync, mkdirSync, openSync, readFileSync, writeFileSync} = require('node:fs')
const {createServer} = require('node:http')
const {join} = require('node:path')

/** How many times slower than the processor of this machine. */
const [package_, echo, seed, slowness = '1', extent = 'whole', hand = ''] = process.argv.slice(2)
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

const START = [['--version'], ['--help'], ['cards', 'get', '3001', '-o', 'json'], WRITE(5000)]
const REST = [
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
]

async function main() {
  const isWhole = extent === 'whole'
  const env = homeAt('plain')
  for (const argv of isWhole ? [...START, ...REST] : START) good(argv.join(' '), run(env, argv))
  arguments_(isWhole ? 100 : 10)
  await locks()
  await kills(isWhole ? 200 : 40)
  if (!isWhole) return
  await served()
  await listens()
  await secrets()
  files()
  moved()
  if (isWindows) await windows()
}

/** What the program gets is what was given, for arguments that quoting goes wrong with. */
function arguments_(lists) {
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
  for (let at = 0; at < lists; at++) {
    const argv = Array.from({length: 1 + random(4)}, () =>
      Array.from({length: random(8)}, () => pieces[random(pieces.length)]).join(''),
    )
    const {stdout} = spawnSync(join(echo, launcher), argv, {encoding: 'utf8'})
    if (stdout !== JSON.stringify(argv)) return check('arguments arrive whole', false, {argv, stdout})
  }
  check(`arguments arrive whole (${lists} lists)`, true)
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
async function kills(rows) {
  const env = homeAt('kills')
  const file = join(root, 'rows.csv')
  writeFileSync(
    file,
    `id,creditLimit\r\n${Array.from({length: rows}, (_, at) => `2001,${5000 + at}\r\n`).join('')}`,
  )
  // 20 s, of which the looks at it take some.
  const slowly = ['--yes', '--rate', `${rows / 20}/s`]
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

/** Secrets that are read from a file or a command arrive at the service as they are. */
async function secrets() {
  const env = {...homeAt('secrets'), SECRET: 'of-environment'}
  const seen = []
  const service = createServer((request, response) => {
    seen.push(request.headers.authorization)
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise(resolve => service.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${service.address().port}`
  const file = join(root, 'a token.txt')
  writeFileSync(file, 'of-file\r\n', {mode: 0o600})
  const command = `"${process.execPath}" -p "'of-' + 'command'"`
  for (const [name, reference] of [
    ['environment', 'env:SECRET'],
    ['file', `file:${file}`],
    ['command', `cmd:${command}`],
  ]) {
    const more = ['--kind', 'test', '--base-url', url, '--auth', 'bearer', '--secret', reference]
    good(`a profile with a secret by ${name}`, run(env, ['profiles', 'add', name, ...more]))
    const end = await finished(env, ['api', 'GET', '/v1/anything', '-p', name])
    check(`the secret by ${name} arrives`, seen.at(-1) === `Bearer of-${name}`, {seen, end})
  }
  service.close()
}

/** Without blocking this process. */
async function finished(env, argv) {
  const child = spawn(exe, argv, {env, stdio: ['ignore', 'ignore', 'pipe']})
  let stderr = ''
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  return {status: await ended(child), stderr}
}

/** What was exported with a passphrase is imported on a machine that has nothing. */
function moved() {
  const [env, other] = [homeAt('from'), homeAt('to')]
  run(env, WRITE(5000))
  const file = join(root, 'ä backup.age')
  const input = 'correct horse battery staple\r\n'
  good('data is exported with a passphrase', run(env, ['data', 'export', file], {input}))
  const [{key}] = JSON.parse(run(env, ['data', 'keys', '-o', 'json']).stdout)
  good('it is imported', run(other, ['data', 'import', file, '--trust', key], {input}))
  check('the journal is there', rowsOf(run(other, ['requests', 'list', '-o', 'csv']).stdout) === 1)
  good('the audit trail is whole there', run(other, ['audit', 'verify']))
}

/** A refusal that says why, without a defect. */
const refused = (name, end, code) => check(name, end.status === 3 && end.stderr.includes(code), end)

/** What only this system has. */
async function windows() {
  const env = homeAt('windows')
  good('a write', run(env, WRITE(5000)))
  const data = join(env.LOCALAPPDATA, 'cardctl', 'Data')
  for (const [file, code] of [
    ['journal\\sandbox.db', 'STORE_UNAVAILABLE'],
    ['audit.ndjson', 'CONFIG_UNREADABLE'],
    ['audit.ndjson.head', 'STORE_UNAVAILABLE'],
    ['sandbox\\sandbox.db', 'STORE_UNAVAILABLE'],
  ]) {
    const release = await held(join(data, file))
    refused(`${file} held open by another program`, run(env, WRITE(5001)), code)
    await release()
  }
  good('a write after that', run(env, WRITE(5002)))
  good('the audit trail is whole', run(env, ['audit', 'verify']))
  for (const [place, code] of [
    ['full', 'DISK_FULL'],
    ['readonly', 'access is denied'],
  ])
    refused(`a ${place} drive`, run({...env, CARDCTL_DATA_DIR: `Z:\\mnt\\${place}\\data`}, WRITE(5003)), code)
  for (const form of [
    'C:/checks/forward.html',
    'C:\\checks\\.\\x\\..\\dots.html',
    'Z:\\tmp\\other-drive.html',
  ])
    good(`the path ${form}`, run(env, ['report', 'shift', '--html', form]))
  for (const name of ['aux', 'com1', 'nul.old']) {
    good(`a snapshot with the reserved name ${name}`, run(env, ['sandbox', 'snapshot', 'save', name]))
    good(`it is loaded`, run(env, ['sandbox', 'snapshot', 'load', name, '--yes']))
  }
  for (const [TZ, offset] of [
    ['Asia/Tokyo', 'UTC+9'],
    ['America/St_Johns', 'UTC-'],
  ]) {
    const {stdout} = run({...env, TZ}, ['requests', 'list'])
    check(`times in ${TZ}`, stdout.includes(offset), stdout)
  }
  const file = join(root, 'interrupted.csv')
  writeFileSync(file, `id,creditLimit\r\n${'2001,5000\r\n2001,5001\r\n'.repeat(100)}`)
  const line = `"${exe}" bulk run accounts.patchCredit.v4 --from ${file} --yes --rate 10/s`
  const out = join(root, 'interrupted.txt')
  const end = spawnSync(hand, ['ctrl-c', '6000', line], {
    env,
    stdio: ['ignore', openSync(out, 'w'), openSync(out, 'a')],
  })
  const [job] = JSON.parse(run(env, ['bulk', 'list', '-o', 'json']).stdout)
  check(
    'Ctrl-C lets the rows on their way end',
    end.status === 130 && job.done > 0 && job.left > 0 && job.open === 0,
    {status: end.status, job, said: readFileSync(out, 'utf8')},
  )
}

/** Another program opens a file for itself alone. @returns what ends it */
async function held(file) {
  const out = join(root, 'held.txt')
  const descriptor = openSync(out, 'w')
  const child = spawn(hand, ['hold', file, '60000'], {stdio: ['ignore', descriptor, descriptor]})
  for (let at = 0; at < 100 && !readFileSync(out, 'utf8').includes('held'); at++) await wait(50)
  return async () => {
    const end = ended(child)
    child.kill()
    await end
    closeSync(descriptor)
  }
}

main().then(() => process.stdout.write('end\n'))
