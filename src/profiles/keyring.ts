import {spawn} from 'node:child_process'
import {existsSync} from 'node:fs'
import {createRequire} from 'node:module'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {pathToFileURL} from 'node:url'
import type {ChildEnvironment} from '../children/child-environment.ts'
import {isObject, parseObject} from '../errors/is-object.ts'
import {Secret} from '../sensitive/secret.ts'

/** A store for secrets by account name. Every call may reject, for example if the store is locked. */
export interface Keyring {
  get(account: string): Promise<Secret | undefined>
  set(account: string, secret: Secret): Promise<void>
  /** Does nothing if there is no such account. */
  delete(account: string): Promise<void>
}

const SERVICE = 'cardctl'
/** In milliseconds. If a desktop's keyring doesn't respond by then, nobody is there to unlock it. */
const TIME_LIMIT = 3000

/**
 * The keyring of the operating system. On Linux only the Secret Service, called from a separate process: the library's
 * other Linux store is kernel memory, which loses its content at the next start.
 */
export async function openSystemKeyring(
  platform: NodeJS.Platform,
  env: ChildEnvironment,
  signal?: AbortSignal,
): Promise<Keyring> {
  if (platform !== 'linux') return nativeKeyring()
  if (!mayHaveBus(env)) throw new Error('There is no message bus to ask a keyring on.')
  return secretService(env, signal)
}

/** Whether a keyring could respond. Without one of these there is no message bus, so don't start a process. */
function mayHaveBus(env: ChildEnvironment): boolean {
  const {DBUS_SESSION_BUS_ADDRESS: address, DISPLAY: display, XDG_RUNTIME_DIR: folder} = env
  return Boolean(address || display) || (folder !== undefined && existsSync(join(folder, 'bus')))
}

function secretService(env: ChildEnvironment, signal?: AbortSignal): Keyring {
  const ask = (question: Omit<KeyringQuestion, 'service'>): Promise<string | undefined> =>
    askSecretService({...question, service: SERVICE}, env, TIME_LIMIT, signal)
  return {
    async get(account) {
      const found = await ask({action: 'get', account})
      return found === undefined ? undefined : new Secret(found)
    },
    async set(account, secret) {
      await ask({action: 'set', account, secret: secret.open()})
    },
    async delete(account) {
      await ask({action: 'delete', account})
    },
  }
}

/** One request to a keyring; `secret` only with `set`. */
interface KeyringQuestion {
  readonly action: 'get' | 'set' | 'delete'
  readonly service: string
  readonly account: string
  readonly secret?: string
}

/**
 * Runs in a separate process. Reads the request from stdin and writes the result to stdout, so that no secret is in the
 * process list. Messages of the library are dropped.
 */
const program = `
let text = ''
for await (const chunk of process.stdin) text += chunk
const {module, action, service, account, secret} = JSON.parse(text)
const {AsyncEntry} = await import(module)
const entry = new AsyncEntry(service, account, {linux: {store: 'secret-service'}})
const found = action === 'get' ? await entry.getPassword() : null
if (action === 'set') await entry.setPassword(secret)
if (action === 'delete') await entry.deleteCredential()
process.stdout.write(JSON.stringify({found}))
`

/**
 * Calls the Secret Service of Linux in a separate process and stops it after the time limit. The library connects to
 * the bus as soon as an entry is constructed, on the calling thread and without a limit: a bus that doesn't respond
 * would block this process forever, whatever signal is passed.
 *
 * @returns the result of `get`, or undefined.
 * @throws Error if the keyring fails or doesn't respond in time, or at the signal.
 */
function askSecretService(
  question: KeyringQuestion,
  env: ChildEnvironment,
  timeLimit: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const module = pathToFileURL(createRequire(import.meta.url).resolve('@napi-rs/keyring')).href
  // NODE_OPTIONS of a debugger or a test runner must not affect the other process.
  const {NODE_OPTIONS: _options, ...passed} = env
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: passed,
    timeout: timeLimit,
    killSignal: 'SIGKILL',
    ...(signal && {signal}),
  })
  return new Promise((resolve, reject) => {
    let answer = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      answer += text
    })
    // If the process ended early, its exit code says so.
    child.stdin.on('error', () => {})
    child.on('error', reject)
    child.on('close', code => {
      const result = code === 0 ? parseObject(answer) : undefined
      if (!isObject(result)) return reject(new Error('The keyring does not respond.'))
      resolve(typeof result.found === 'string' ? result.found : undefined)
    })
    child.stdin.end(JSON.stringify({...question, module}))
  })
}

async function nativeKeyring(): Promise<Keyring> {
  // Loaded on first use: a native module that is needed only when a profile keeps a secret in the keyring.
  const {AsyncEntry} = await import('@napi-rs/keyring')
  const entry = (account: string) => new AsyncEntry(SERVICE, account)
  return {
    async get(account) {
      const found = await limited(signal => entry(account).getPassword(signal))
      return found === null ? undefined : new Secret(found)
    },
    set: (account, secret) => limited(signal => entry(account).setPassword(secret.open(), signal)),
    async delete(account) {
      await limited(signal => entry(account).deleteCredential(signal))
    },
  }
}

/** The signal stops a call only while it waits for a thread, so this also races the result against the time limit. */
async function limited<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const done = new AbortController()
  const late = delay(TIME_LIMIT, undefined, {signal: done.signal}).then(() => {
    throw new Error(`The keyring did not respond within ${TIME_LIMIT / 1000} s.`)
  })
  try {
    return await Promise.race([call(AbortSignal.timeout(TIME_LIMIT)), late])
  } finally {
    done.abort()
    late.catch(() => {})
  }
}

/**
 * Stores a secret and reads it back: some keyrings report success and store nothing.
 *
 * @returns why the secret isn't stored, or undefined if it is.
 */
export async function storeChecked(
  keyring: Keyring,
  account: string,
  secret: Secret,
): Promise<string | undefined> {
  try {
    await keyring.set(account, secret)
    const stored = await keyring.get(account)
    if (stored?.open() === secret.open()) return undefined
    await keyring.delete(account)
    return 'it does not give back what it was given'
  } catch {
    // The library's messages differ by platform and don't help the user.
    return 'it cannot be reached, or is locked'
  }
}
