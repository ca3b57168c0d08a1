import {spawn} from 'node:child_process'
import {createRequire} from 'node:module'
import {pathToFileURL} from 'node:url'
import type {ChildEnvironment} from '../children/child-environment.ts'
import {isRecord, parseObject} from './json-object.ts'

/** One question to a keyring; `secret` with `set` only. */
export interface KeyringQuestion {
  readonly action: 'get' | 'set' | 'delete'
  readonly service: string
  readonly account: string
  readonly secret?: string
}

/**
 * Runs in a process of its own: reads the question from stdin and writes the answer to stdout, so that no secret stands
 * in the list of processes. Messages of the library are dropped.
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
 * Asks the Secret Service of Linux from another process and ends that after the time limit. The library already talks to
 * the bus when an entry is constructed, on the calling thread and without any limit: a bus that doesn't answer would hang
 * this process for good, whatever signal is passed.
 *
 * @returns what a `get` found, or undefined.
 * @throws Error if the keyring doesn't answer in time or fails, or at the signal.
 */
export function askSecretService(
  question: KeyringQuestion,
  env: ChildEnvironment,
  timeLimit: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const module = pathToFileURL(createRequire(import.meta.url).resolve('@napi-rs/keyring')).href
  // NODE_OPTIONS of a debugger or a test runner is none of the other process's business.
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
    // A process that ended early is told by its exit code.
    child.stdin.on('error', () => {})
    child.on('error', reject)
    child.on('close', code => {
      const result = code === 0 ? parseObject(answer) : undefined
      if (!isRecord(result)) return reject(new Error('The keyring does not answer.'))
      resolve(typeof result.found === 'string' ? result.found : undefined)
    })
    child.stdin.end(JSON.stringify({...question, module}))
  })
}
