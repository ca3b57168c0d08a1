// Twelve mishaps of a nightly job. Prints the last twenty lines of each log, and what really happened; checks that those lines
// have the numbers and the next command, and that this command sends as many rows as they say once the cause is gone. LOGS=FOLDER writes both to files, for somebody to judge who knows only the logs.
import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import type {PlainRequest, PlainResponse} from '../../src/sandbox/index.ts'
import {openHome, type RunOptions} from '../helpers/cli.ts'
import {lastLines} from '../helpers/day-of-operation.ts'
import {openService, reply} from '../helpers/service.ts'
import {mountSmallDisk} from '../helpers/small-disk.ts'

const LOGS = process.env.LOGS
const ROWS = 60
const problem = (status: number, title: string, headers: Record<string, string> = {}): PlainResponse =>
  reply(status, {type: 'about:blank', title, status}, headers)
const page = (text: string): PlainResponse => ({
  status: 200,
  headers: {'content-type': 'text/html'},
  body: Buffer.from(text),
})
const DROPPED: PlainResponse = {...reply(200, {}), drop: true}

interface Night {
  /** What the service answers to the n-th write. */
  readonly answer?: (count: number, request: PlainRequest, stop: AbortController) => PlainResponse | undefined
  readonly line?: string
  readonly stdin?: string
  readonly secret?: string
  readonly env?: Record<string, string>
  /** A line that is run before. */
  readonly first?: string
  readonly isSandbox?: boolean
  /** A disk that is full from the n-th write on. */
  readonly fullAt?: number
  readonly isGone?: boolean
  /** Number of writes that the next commands send; by default the number in the log. */
  readonly later?: number
  /** What happened, for the judge. */
  readonly truth: string
  /** What the last lines must have. */
  readonly says: readonly RegExp[]
}

const from = (count: number, first: number, answer: () => PlainResponse) =>
  count > first ? answer() : undefined
const JOB = 'bulk run accounts patch --type credit --from - --job-key night --first-run --concurrency 2 --yes'
const NEXT = /cardctl [a-z]/

const NIGHTS: readonly Night[] = [
  {
    answer: count => from(count, 20, () => problem(503, 'Maintenance', {'retry-after': '1800'})),
    truth:
      'The service goes into maintenance after 20 rows and asks to wait 30 min. 20 rows done; the others of those sent were answered 503 and are unknown; the rest was not sent.',
    says: [
      /asks to wait 30 min \(until \S+ \S+ UTC\)/,
      /20 of 60 rows done.* left without an effect, \d+ sent, effect unknown/,
      NEXT,
    ],
  },
  {
    answer: count => from(count, 15, () => problem(401, 'Unauthorized')),
    truth: 'The token expires after 15 rows. 15 rows done, nothing unknown.',
    says: [/5 rows one after another/, /15 of 60 rows done.*45 left without an effect/, /401/, NEXT],
  },
  {
    answer: count => from(count, 10, () => problem(429, 'Too many requests', {'retry-after': '7200'})),
    later: 0,
    truth: 'After 10 rows the service asks for a pause of 2 h, which is longer than --max-pause.',
    says: [/10 of 60 rows done/, /until \S+ \S+ UTC \(2 h\)/, /--max-pause \(15 min\)/, NEXT],
  },
  {
    secret: 'cmd:sh -c "echo vault is sealed, ask the platform team >&2; exit 2"',
    later: 0,
    truth: 'The program of the secret fails, because the vault is sealed. Nothing was sent.',
    says: [/vault is sealed, ask the platform team/, /this command sent nothing/],
  },
  {
    stdin: 'id,creditLimit\n10001,100\n10002,12.345\n10003,abc\n',
    later: 0,
    truth: 'Rows 2 and 3 of the file are wrong. Nothing was sent.',
    says: [/row 2/, /row 3/, /No bulk job was made/, /this command sent nothing|Nothing was sent/i],
  },
  {
    answer: count => from(count, 12, () => page('<html><title>Log in</title>Please log in</html>')),
    truth: 'A gateway answers with its login page after 12 rows. It shows nothing about the rows after that.',
    says: [/1[0-9] of 60 rows done/, /find out what answers now/, NEXT],
  },
  {
    answer: (count, _, stop) => {
      if (count === 25) stop.abort('SIGTERM')
      return undefined
    },
    truth: 'The run gets SIGTERM at row 25. What was on its way ended; the rest was not sent.',
    says: [/TERMINATED: SIGTERM ended/, /2[0-9] of 60 rows done/, NEXT],
  },
  {
    line: 'a2a create --from - --yes --retries 0',
    stdin: 'from,to,amount,currency,text\n2006,2007,12.50,EUR,Rent\n',
    answer: () => DROPPED,
    later: 0,
    truth: 'The connection breaks after the batch was sent: nobody knows whether it was booked.',
    says: [
      /effect is unknown/,
      /a2a create refuses the same transfers\. Find out what happened, which sends none: cardctl requests resolve/,
    ],
  },
  {
    line: `${JOB} --max-failures 5`,
    answer: count => (count % 3 === 0 ? problem(409, 'Account is closed') : undefined),
    truth:
      'Every third account is closed. The job stops after 5 failures; the others of those sent are done.',
    says: [/409/, /limit of --max-failures \(5\)/, /5 failed/, /after 5 further failures/, NEXT],
  },
  {
    isGone: true,
    later: 0,
    truth: 'Nothing listens at the address of the service. Nothing was sent.',
    says: [/0 of 60 rows done|sent nothing/, /connection|refused/i],
  },
  {
    fullAt: 20,
    truth:
      'The disk of the journal is full at row 20. Those done before it count as done, also where that could not be recorded; those on their way at that moment are unknown, and about 40 were not sent.',
    says: [
      /disk of .* is full/,
      /[12]\d of 60 rows done(?:, \d+ of them not recorded as done)?, 0 failed, [34]\d left without an effect/,
      /Delete nothing in/,
      NEXT,
    ],
  },
  {
    isSandbox: true,
    first: 'sandbox reset --yes',
    later: 0,
    truth:
      'The job was done last night, then the sandbox was reset. Nothing was sent now, and the sandbox lacks the rows.',
    says: [/sandbox was reset/, /To send them again, run this with another --job-key/],
  },
]

let failed = 0
for (const [at, night] of NIGHTS.entries()) {
  const number = String(at + 1).padStart(2, '0')
  const {log, writes, after} = await live(night)
  const lines = lastLines(log)
  const truth = `${night.truth}\nThe service got ${writes} writes, and ${after} more by the next command, once the cause was gone.\n`
  const missing = night.says.filter(one => !one.test(lines))
  failed += missing.length > 0 ? 1 : 0
  process.stdout.write(`== ${number}\n${lines}\n-- ${truth}`)
  for (const one of missing) process.stdout.write(`MISSING ${one}\n`)
  const [, left = 0, again = 0] =
    /sends the (\d+) left(?:, and once more, under their idempotency keys, the (\d+))?/.exec(lines) ?? []
  const due = night.later ?? Number(left) + Number(again)
  if (after !== due) {
    failed++
    process.stdout.write(`SENT ${after} instead of ${due} afterwards\n`)
  }
  if (LOGS === undefined) continue
  mkdirSync(LOGS, {recursive: true})
  writeFileSync(join(LOGS, `${number}.log`), `${lines}\n`)
  writeFileSync(join(LOGS, `${number}.truth`), truth)
}
process.stdout.write(`${NIGHTS.length - failed} of ${NIGHTS.length} logs say what they must\n`)
process.exitCode = failed > 0 ? 1 : 0

interface Lived {
  readonly log: string
  readonly writes: number
  /** Writes of the next commands, once the cause is gone. */
  readonly after: number
}

async function live(night: Night): Promise<Lived> {
  const home = await openHome()
  const disk = night.fullAt === undefined ? undefined : mountSmallDisk(8)
  const stop = new AbortController()
  let writes = 0
  let isOver = false
  const service = await openService(request => {
    if (request.method === 'GET') return undefined
    writes++
    if (writes === night.fullAt) disk?.fill()
    return (
      (isOver ? undefined : night.answer?.(writes, request, stop)) ??
      reply(200, {id: /\/(\w+)(?:\?|$)/.exec(request.url)?.[1], description: 'Updated'})
    )
  })
  try {
    const {secret = 'env:TOKEN', line = JOB} = night
    const env = {...(disk && {CARDCTL_DATA_DIR: disk.folder}), TOKEN: 'made-up', ...night.env}
    const profile = night.isSandbox ? [] : ['-p', 'bank']
    const add = ['--kind', 'test', '--base-url', service.url, '--auth', 'bearer', '--secret', secret]
    await home.run(['profiles', 'add', 'bank', ...add, '--profile-audit-user', 'night'], {env})
    if (night.isGone) await service.close()
    const ids = Array.from({length: ROWS}, (_, at) => (night.isSandbox ? 2001 : 10_001 + at))
    const rows = `id,creditLimit\n${ids.map((id, at) => `${id},${100 + at}\n`).join('')}`
    const options: RunOptions = {env, stdin: night.stdin ?? rows, signal: stop.signal}
    const words = [...line.split(' '), ...profile]
    if (night.first !== undefined) {
      await home.run(words, options)
      await home.run(night.first.split(' '), {env})
    }
    const {code, stderr} = await home.run(words, options)
    const log = `$ cardctl ${words.join(' ')}\n${stderr}exit ${code}\n`
    const sent = writes
    isOver = true
    disk?.free()
    const next = /cardctl ((?:bulk resume|requests resolve) .+)$/m.exec(stderr)?.[1]?.split(' ')
    if (next !== undefined) await home.run(next, {env})
    // What runs each night, and a batch whose effect is unknown, send nothing more.
    if (night.later === 0) await home.run(words, {env, stdin: night.stdin ?? rows})
    return {log, writes: sent, after: writes - sent}
  } finally {
    if (!night.isGone) await service.close()
    await home.remove()
    disk?.remove()
  }
}
