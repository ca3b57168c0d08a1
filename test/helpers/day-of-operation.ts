// A nightly job, a file of transfers and a desk for each hour of a sandbox on PostgreSQL. What they do after a failure is only
// what the last twenty lines of the log say.
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import type {Home, RunResult} from './cli.ts'
import {freePort} from './free-port.ts'

const CREDIT = ['2001']
const ROWS = 12
const TRANSFERS = 6
const BATCH = 2
const DESK = 1
/** Keyed writes in an hour of the day before; in an hour with jobs, they and the others are as many. */
const KEYED = 30
const OTHERS = KEYED - ROWS - TRANSFERS / BATCH - DESK
const HOUR_MS = 60 * 60 * 1000
const MOST_TRIES = 25

export const lastLines = (log: string): string => log.trimEnd().split('\n').slice(-20).join('\n')

/** The command that a log names last, in words. */
function namedCommand(log: string): readonly string[] | undefined {
  const found = [
    ...lastLines(log).matchAll(/cardctl ((?:bulk|requests) (?:resume|resolve|watch|run) [^;.\n]+)/g),
  ].at(-1)
  return found?.[1]?.trim().split(' ')
}

export interface DayOptions {
  readonly store: string
  /** The file of the token. */
  readonly token: string
  readonly folder: string
  /** Asks the database as its administrator. */
  truth(sql: string): string
}

export class DayOfOperation {
  readonly counts = {transfers: 0, changes: 0, runs: 0, troubled: 0}
  logs = ''
  readonly #home: Home
  readonly #options: DayOptions
  readonly #stop = new AbortController()
  readonly #wanted = new Map<string, number>()
  #effects: readonly number[] = []
  /** Transfers of the demo data. */
  #others = 0
  #served: Promise<RunResult> | undefined
  #url = ''
  #writes = 0

  constructor(home: Home, options: DayOptions) {
    this.#home = home
    this.#options = options
  }

  async open(): Promise<void> {
    const {store, token} = this.#options
    const port = await freePort()
    const serve = ['sandbox', 'serve', '--store', store, '--port', String(port), '-o', 'ndjson']
    const server = this.#run([...serve, '--idempotency', 'all', '--tenants'], {signal: this.#stop.signal})
    this.#served = server
    this.#url = `http://127.0.0.1:${port}/t/bank`
    const made = await this.#json<{token: string}>(['sandbox', 'tenants', 'add', 'bank', '--store', store])
    writeFileSync(token, made.token, {mode: 0o600})
    const flags = [
      '--kind',
      'sandbox',
      '--base-url',
      this.#url,
      '--auth',
      'bearer',
      '--secret',
      `file:${token}`,
    ]
    await this.#json([
      'profiles',
      'add',
      'bank',
      ...flags,
      '--settle-delay',
      '50ms',
      '--profile-audit-user',
      'night',
    ])
    await this.#until(() => this.write())
    this.#others = Number(this.#options.truth('SELECT count(*) FROM cardctl.transfer_items'))
    this.#effects = await Promise.all(CREDIT.map(id => this.#effectsOf(id)))
  }

  async close(): Promise<void> {
    this.#stop.abort('SIGTERM')
    await this.#served
  }

  /** A keyed write past the tool. @returns its status; 0 without a response */
  write(): Promise<number> {
    const body = {name: `n${++this.#writes}`}
    return this.#ask('PATCH', '/v4/DEBIT/2002?auditUser=desk', body, `w-${this.#writes}`)
  }

  /** Writes of other programs, and an hour that passes. */
  async fillHour(writes = KEYED): Promise<void> {
    for (let at = 0; at < writes; at++) await this.#until(() => this.write())
    await this.#until(() => this.#ask('POST', '/_sandbox/clock', {advanceMs: HOUR_MS}, `h-${this.#writes}`))
  }

  async #ask(method: string, path: string, body: object, key: string): Promise<number> {
    const headers = {
      authorization: `Bearer ${readFileSync(this.#options.token, 'utf8')}`,
      'content-type': 'application/json',
      'x-idempotency-key': key,
    }
    const sent = fetch(`${this.#url}${path}`, {method, headers, body: JSON.stringify(body)})
    return sent.then(
      ({status}) => status,
      () => 0,
    )
  }

  async #until(ask: () => Promise<number>): Promise<void> {
    for (let tries = 0; (await ask()) !== 200; tries++) {
      if (tries === 100) throw new Error('the server takes no writes')
      await pause(200)
    }
  }

  /** @returns what became of each of the three, in words. */
  async hour(hour: number, trouble?: () => Promise<unknown>): Promise<readonly string[]> {
    this.logs = ''
    const work = Promise.all([this.#night(hour), this.#payments(hour), this.#desk(hour)])
    if (trouble) {
      await pause(400)
      await trouble()
    }
    const said = await work
    await this.fillHour(OTHERS)
    return said
  }

  async rotateToken(): Promise<void> {
    const {store, token} = this.#options
    const rotate = ['sandbox', 'tokens', 'rotate', 'bank', 'default', '--overlap', '1h', '--store', store]
    const made = await this.#json<{token: string}>(rotate)
    writeFileSync(token, made.token, {mode: 0o600})
  }

  size(): {readonly keys: number; readonly mebibytes: number} {
    const {truth} = this.#options
    truth('VACUUM')
    const keys = Number(truth('SELECT count(*) FROM cardctl.kept_replies'))
    return {keys, mebibytes: Math.round(Number(truth("SELECT pg_database_size('app')")) / 1024 ** 2)}
  }

  numbers(): string {
    const {transfers, changes, runs, troubled} = this.counts
    return `${changes} changes by nightly jobs and ${transfers} transfers, ${runs} runs of the tool, ${troubled} of them failed`
  }

  /** What is not as it must be: each effect once, exact balances. */
  async faults(): Promise<string[]> {
    const faults: string[] = []
    const items = this.#options
      .truth('SELECT row FROM cardctl.transfer_items')
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as {text: string; status: string})
    for (const [text, cents] of this.#wanted) {
      const found = items.filter(item => item.text === text)
      const completed = found.filter(({status}) => status === 'COMPLETED').length
      if (found.length !== 1 || completed !== 1)
        faults.push(`transfer ${text} of ${cents} cents: ${found.length} times, ${completed} completed`)
    }
    const made = items.length - this.#others
    if (made !== this.#wanted.size) faults.push(`${made} transfers, not ${this.#wanted.size}`)
    const sum = [...this.#wanted.values()].reduce((all, cents) => all + cents, 0)
    const moved = 1_000_000 - Math.round((await this.#booked('2006')) * 100)
    if (moved !== sum) faults.push(`account 2006 paid ${moved} cents, not ${sum}`)
    const effects = await Promise.all(CREDIT.map(id => this.#effectsOf(id)))
    const added = effects.reduce((all, one, at) => all + one - (this.#effects[at] ?? 0), 0)
    if (added !== this.counts.changes) faults.push(`${added} changes of accounts, not ${this.counts.changes}`)
    return faults
  }

  async #night(hour: number): Promise<string> {
    const file = join(this.#options.folder, `limits-${hour}.csv`)
    const rows = Array.from(
      {length: ROWS},
      (_, at) => `${CREDIT[at % CREDIT.length]},${1000 + hour * 100 + at}`,
    )
    writeFileSync(file, `id,creditLimit\n${rows.join('\n')}\n`)
    this.counts.changes += ROWS
    const job = [
      'bulk',
      'run',
      'accounts',
      'patch',
      '--type',
      'credit',
      '--from',
      file,
      '--job-key',
      `night-${hour}`,
    ]
    const tries = await this.#follow([...job, '--first-run', '--rate', '8/s', '--yes', '-p', 'bank'], [])
    return `the job in ${tries} runs`
  }

  async #payments(hour: number): Promise<string> {
    const file = join(this.#options.folder, `payments-${hour}.csv`)
    const rows = Array.from({length: TRANSFERS}, (_, at) => {
      const cents = 1 + ((hour * 7 + at * 13) % 97)
      return this.#transfer(`pay-${hour}-${at}`, cents, ',')
    })
    writeFileSync(file, `from,to,amount,currency,text\n${rows.join('\n')}\n`)
    const line = [
      'a2a',
      'create',
      '--from',
      file,
      '--batch-size',
      String(BATCH),
      '--wait',
      '--yes',
      '-p',
      'bank',
    ]
    return `the transfers in ${await this.#follow(line, ['--rest'])}`
  }

  async #desk(hour: number): Promise<string> {
    let runs = 0
    for (let at = 0; at < DESK; at++) {
      const transfer = this.#transfer(`desk-${hour}-${at}`, 100 + at, ':')
      runs += await this.#follow(
        ['a2a', 'create', '--transfer', transfer, '--wait', '--yes', '-p', 'bank'],
        [],
      )
      await pause(600)
    }
    return `the desk in ${runs}`
  }

  #transfer(text: string, cents: number, separator: string): string {
    this.#wanted.set(text, cents)
    this.counts.transfers++
    return ['2006', '2007', (cents / 100).toFixed(2), 'EUR', text].join(separator)
  }

  /** Runs a line until it succeeds, or all of it was sent; between two runs, only what the log names. */
  async #follow(line: readonly string[], whenPart: readonly string[]): Promise<number> {
    let rest: readonly string[] = []
    for (let runs = 1; runs <= MOST_TRIES; runs++) {
      const {code, stderr} = await this.#run([...line, ...rest])
      // 14: all of it was sent before.
      if (code === 0 || code === 14) return runs
      const named = namedCommand(stderr)
      if (whenPart.length > 0 && lastLines(stderr).includes('--rest')) rest = whenPart
      if (/no rest/.test(stderr)) rest = []
      await pause(500)
      if (named !== undefined) {
        runs++
        await this.#run(named[0] === 'requests' ? [...named, '--yes'] : named)
      }
    }
    throw new Error(`${line.join(' ')} never succeeds:\n${lastLines(this.logs)}`)
  }

  async #run(line: readonly string[], options: {signal?: AbortSignal} = {}): Promise<RunResult> {
    const sleep = (ms: number, signal?: AbortSignal) => pause(ms, undefined, signal && {signal})
    const result = await this.#home.run(line, {...options, sleep, now: Date.now})
    this.counts.runs++
    if (result.code !== 0) this.counts.troubled++
    if (line[0] !== 'sandbox')
      this.logs += `$ cardctl ${line.join(' ')}\n${result.stderr}exit ${result.code}\n`
    return result
  }

  async #json<T>(line: readonly string[]): Promise<T> {
    const {code, stdout, stderr} = await this.#run([...line, '-o', 'json'])
    if (code !== 0) throw new Error(`${line.join(' ')} ended ${code}: ${stderr}`)
    return JSON.parse(stdout) as T
  }

  async #effectsOf(id: string): Promise<number> {
    const show = ['sandbox', 'state', 'show', 'account', id, '-p', 'bank']
    return (await this.#json<{effects: number}>(show)).effects
  }

  async #booked(id: string): Promise<number> {
    const show = ['sandbox', 'state', 'show', 'account', id, '-p', 'bank']
    const {balances} = await this.#json<{balances: {currency: string; booked: number}[]}>(show)
    return balances.find(({currency}) => currency === 'EUR')?.booked ?? Number.NaN
  }
}
