// Copies of the TypeScript example with a planted fault each, and what a certificate says of them.
import {spawn} from 'node:child_process'
import {randomUUID} from 'node:crypto'
import {once} from 'node:events'
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {behaviourChecks} from '../../../src/webhook/certify/behaviour.ts'
import {type Certified, certify} from '../../../src/webhook/certify/index.ts'
import {readHolds} from '../../../src/webhook/certify/probe.ts'
import {openCaller} from '../../../src/webhook/index.ts'
import {readSuite} from '../../../src/webhook/suite/index.ts'
import {ROOT} from '../../docs/pages.ts'
import {freePort} from '../../helpers/free-port.ts'

export const EXAMPLE = readFileSync(`${ROOT}examples/endpoints/endpoint.ts`, 'utf8')

/** In memory where there is such a folder: the example waits for the disk at each decision. */
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Texts of the example, and what stands there instead. */
export type Patch = readonly (readonly [from: string, to: string])[]

/** The suites of a whole certificate, but for the load, which is measured by the calls for the deadline. */
export const SUITES = ['smoke', 'money', 'identity', 'hostile'] as const

export interface Planted {
  /** What the endpoint does. */
  readonly fault: string
  /** The check that finds it. */
  readonly found: string | RegExp
  /** The suite that this check is in; without one it is a check of behaviour or of the deadline. */
  readonly suite?: (typeof SUITES)[number]
  /** How many calls for the deadline show it. */
  readonly calls?: number
  readonly patch: Patch
}

const AGAIN = ['INSERT INTO decisions', 'INSERT OR REPLACE INTO decisions'] as const
const DECIDE = "return await decided(db, JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(body)))"

export const plantedFaults: readonly Planted[] = [
  {
    fault: 'holds a repeated call again',
    found: 'a call again, later: decided once',
    patch: [['if (known)', 'if (false)'], AGAIN],
  },
  {
    fault: 'holds parallel calls with one id twice',
    found: 'the same call 20 times at once: decided once',
    patch: [
      [
        DECIDE,
        `const call = JSON.parse(body.toString('utf8'))
         const known = db.prepare('SELECT 1 FROM decisions WHERE id = ?').get(String(call.metadata?.id))
         if (!known) unknown.add(call)
         await new Promise(resolve => setTimeout(resolve, 500))
         return await decided(db, call)`,
      ],
      ['class NoCall', 'const unknown = new WeakSet<object>()\nclass NoCall'],
      ['if (known)', 'if (known && !unknown.has(call))'],
      AGAIN,
    ],
  },
  {
    fault: 'approves an id that it declined before',
    found: 'a declined call again, when its card has money: answer repeated',
    patch: [['if (known)', `if (known && !String(known.answer).includes('"51"'))`], AGAIN],
  },
  {
    fault: 'forgets at a restart',
    found: 'after a restart: decided once',
    patch: [
      [
        'const db = openFile(second)',
        "const db = openFile(second)\n  db.exec('DELETE FROM decisions; DELETE FROM holds')",
      ],
    ],
  },
  {
    fault: 'answers by the id alone',
    found: 'another call with a known id: its earlier hold stays',
    patch: [['known.call === same', 'known']],
  },
  {
    fault: 'ignores the currency',
    found: '1251 JPY is held, exactly',
    patch: [['.run(...hold, part)', ".run(trans, card, 'EUR', part)"]],
  },
  {
    fault: 'rounds yen to hundreds',
    found: '1251 JPY is held, exactly',
    patch: [['return minor', "return currency === 'JPY' ? Math.round(minor / 100) * 100 : minor"]],
  },
  {
    fault: 'has two decimals for all currencies',
    found: '12.345 KWD',
    suite: 'money',
    patch: [['WITHOUT_DECIMALS.has(currency) ? 0 : WITH_3_DECIMALS.has(currency) ? 3 : 2', '2']],
  },
  {
    fault: 'approves a part above the amount',
    found: 'more than there is, in EUR: a part only where it is allowed, and of the right size',
    patch: [
      [
        '{partialApprovalAmount: amountOf(part, currency)}',
        '{partialApprovalAmount: amountOf(minor + part, currency)}',
      ],
    ],
  },
  {
    fault: 'approves a part where none is allowed',
    found: 'more than there is, in EUR: a part only where it is allowed, and of the right size',
    patch: [[' && data.partialApprovalCapable === true', '']],
  },
  {
    fault: 'holds the whole amount of a partial approval',
    found: 'a partial approval holds its part',
    patch: [['.run(...hold, part)', ".run(trans, card, currency, code === '10' ? minor : part)"]],
  },
  {
    fault: 'releases twice for a repeated reversal',
    found: 'a repeated reversal releases once',
    patch: [['if (known)', "if (known && kind !== 'REVERSAL')"], AGAIN],
  },
  {
    fault: 'releases other payments of the card',
    found: 'a reversal releases no more than is held',
    patch: [
      [
        '.run(after, ...hold)',
        ".run(after, ...hold)\n      db.prepare('UPDATE holds SET minor = ? WHERE card = ?').run(after, card)",
      ],
    ],
  },
  {
    fault: 'fails at an unknown field',
    found: 'unknown fields change no decision',
    patch: [
      ['const left = kind', "if ('somethingNew' in data) throw new NoCall('unknown')\n  const left = kind"],
    ],
  },
  {
    fault: 'declines the reversal of a hold in another currency',
    found: 'hotel, less than held',
    suite: 'money',
    patch: [
      [
        "if (kind === 'REVERSAL') {",
        "if (kind === 'REVERSAL' && currency === 'NOK') code = '57'\n  else if (kind === 'REVERSAL') {",
      ],
    ],
  },
  {
    fault: 'approves a balance inquiry without the balance',
    found: 'a balance inquiry',
    suite: 'smoke',
    patch: [
      ['more = {availableAmount: call.account?.availableAmount ?? amountOf(0, currency)}', 'more = {}'],
    ],
  },
  {
    fault: 'ends at a huge body',
    found: /^(a huge call|after the huge one)$/,
    suite: 'hostile',
    patch: [
      [
        'if (size <= MAX_BODY) chunks.push(chunk)',
        'if (size > MAX_BODY) process.exit(1)\n    chunks.push(chunk)',
      ],
    ],
  },
  {
    fault: 'ends at a body that is empty',
    found: 'broken, no body',
    suite: 'hostile',
    patch: [
      [
        'if (body === undefined) return',
        'if (body?.length === 0) process.exit(1)\n  if (body === undefined) return',
      ],
    ],
  },
  {
    fault: 'answers 200 with broken JSON',
    found: 'coffee',
    suite: 'smoke',
    patch: [['.end(JSON.stringify(answer))', '.end(JSON.stringify(answer).slice(0, -1))']],
  },
  {
    fault: 'ends when a connection is dropped',
    found: 'a connection dropped in the request: answer repeated',
    patch: [['response.destroy()', 'process.exit(1)']],
  },
  {
    fault: 'refuses a warm-up, and every call after one that failed',
    found: 'a warm-up that fails, then a call',
    patch: [
      [
        'const body = await bodyOf(request)',
        "const body = await bodyOf(request).catch(() => {\n    if (request.url === '/warm-up') Object.assign(globalThis, {cold: true})\n    throw new NoCall('cut')\n  })",
      ],
      [DECIDE, `if ('cold' in globalThis) return [503, {}]\n    ${DECIDE}`],
    ],
  },
  {
    fault: 'answers every 50th call after 2.1 s',
    found: '99.9% of the answers within the deadline',
    calls: 60,
    patch: [
      [
        DECIDE,
        `const seen = Object(globalThis)
         seen.count = (seen.count ?? 0) + 1
         if (seen.count % 50 === 0) await new Promise(resolve => setTimeout(resolve, 2100))
         ${DECIDE}`,
      ],
    ],
  },
]

/** The example with changes. @throws Error unless each is in it exactly once */
export function patched(patch: Patch): string {
  return patch.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) throw new Error(`The example has not once: ${from}`)
    return text.replace(from, () => to)
  }, EXAMPLE)
}

export interface PlantedSettings {
  readonly suites?: readonly string[]
  /** By default all. */
  readonly behaviour?: typeof behaviourChecks
  /** For the deadline. */
  readonly calls?: number
  /** Neither probe nor restart. */
  readonly withoutHelp?: boolean
}

/** Runs an endpoint and certifies it; its holds are read from its file. */
export async function certified(
  source: string,
  {suites = [], behaviour = behaviourChecks, calls = 1, withoutHelp = false}: PlantedSettings = {},
): Promise<Certified> {
  const folder = mkdtempSync(join(FOLDER, 'cardctl-planted-'))
  const [program, file] = [join(folder, 'endpoint.ts'), join(folder, 'holds.db')]
  writeFileSync(program, source)
  const port = await freePort()
  const start = async () => {
    const env = {PATH: process.env.PATH, HOME: folder}
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', program, 'serve', String(port), file],
      {env, stdio: ['ignore', 'pipe', 'ignore']},
    )
    await once(child.stdout, 'data')
    return child
  }
  let child = await start()
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const caller = openCaller({base: new URL(`http://127.0.0.1:${port}`), deadlineMs: 2000, now: Date.now})
  const restart = async () => {
    await stop()
    child = await start()
    return {}
  }
  try {
    const run = certify({
      caller,
      suites: await Promise.all(suites.map(shippedSuite)),
      behaviour,
      signal: new AbortController().signal,
      now: Date.now,
      newId: randomUUID,
      random: Math.random,
      calls,
      rate: 100,
      ...(withoutHelp ? {} : {probe: async (id: string) => holdsOf(file, id), restart}),
    })
    let next = await run.next()
    while (next.done !== true) next = await run.next()
    return next.value
  } finally {
    caller.close()
    await stop()
    rmSync(folder, {recursive: true})
  }
}

export async function shippedSuite(name: string) {
  const {suite} = await readSuite(readFileSync(`${ROOT}examples/suites/${name}.yaml`, 'utf8'), name)
  if (!suite) throw new Error(name)
  return suite
}

const HOLDS =
  'SELECT DISTINCT h.trans, currency, minor FROM holds h JOIN decisions d ON d.trans = h.trans WHERE d.id = ?'
const DECIMALS: Readonly<Record<string, number>> = {JPY: 0, KWD: 3}

/** Read from the file of the example, without its own code: that may have the fault. */
function holdsOf(file: string, id: string) {
  const db = new DatabaseSync(file)
  const rows = db.prepare(HOLDS).all(id)
  db.close()
  const holds = rows.map(({currency, minor}) => ({
    amount: Number(minor) / 10 ** (DECIMALS[String(currency)] ?? 2),
    currency,
  }))
  return readHolds(JSON.stringify(holds))
}

/** The names of the checks that ended so. */
export const named = ({checks}: Certified, state: Certified['checks'][number]['state']): readonly string[] =>
  checks.filter(check => check.state === state).map(({name}) => name)

/** Only what finds a fault. */
export const onlyWhatFinds = (planted: Planted): PlantedSettings => ({
  suites: planted.suite ? [planted.suite] : [],
  behaviour: behaviourChecks.filter(({name}) => finds(planted)(name)),
  ...(planted.calls && {calls: planted.calls}),
})

/** Whether a check is the one that finds a fault. */
export const finds =
  ({found}: Planted) =>
  (name: string): boolean =>
    typeof found === 'string' ? name === found : found.test(name)
