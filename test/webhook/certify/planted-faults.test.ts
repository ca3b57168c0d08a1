// Copies of the TypeScript example with a planted fault each. A certificate must find the fault and name it.
import {spawn} from 'node:child_process'
import {randomUUID} from 'node:crypto'
import {once} from 'node:events'
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {describe, expect, onTestFinished, test} from 'vitest'
import {type CertifiedCheck, certify} from '../../../src/webhook/certify/index.ts'
import {readHolds} from '../../../src/webhook/certify/probe.ts'
import {openCaller} from '../../../src/webhook/index.ts'
import {readSuite} from '../../../src/webhook/suite/index.ts'
import {ROOT} from '../../docs/pages.ts'
import {freePort} from '../../helpers/free-port.ts'

const EXAMPLE = readFileSync(`${ROOT}examples/endpoints/endpoint.ts`, 'utf8')

/** In memory where there is such a folder: the example waits for the disk at each decision. */
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

type Patch = readonly (readonly [from: string, to: string])[]

const AGAIN = ['INSERT INTO decisions', 'INSERT OR REPLACE INTO decisions'] as const
const DECIDE = "return decide(db, JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(body)))"

const faults: readonly (readonly [fault: string, found: string | RegExp, patch: Patch])[] = [
  ['holds a repeated call again', 'a call again, later: decided once', [['if (known)', 'if (false)'], AGAIN]],
  [
    'holds parallel calls with one id twice',
    'the same call 20 times at once: decided once',
    [
      [
        DECIDE,
        `const call = JSON.parse(body.toString('utf8'))
         const isNew = !db.prepare('SELECT 1 FROM decisions WHERE id = ?').get(String(call.metadata?.id))
         await new Promise(resolve => setTimeout(resolve, 30))
         return decide(db, call, isNew)`,
      ],
      ['(db: DatabaseSync, call: Call)', '(db: DatabaseSync, call: Call, isNew = false)'],
      ['if (known)', 'if (known && !isNew)'],
      AGAIN,
    ],
  ],
  [
    'approves an id that it declined before',
    'a declined call again, when its card has money: answer repeated',
    [['if (known)', `if (known && !String(known.answer).includes('"51"'))`], AGAIN],
  ],
  [
    'forgets at a restart',
    'after a restart: decided once',
    [
      [
        'const db = openFile(second)',
        "const db = openFile(second)\n  db.exec('DELETE FROM decisions; DELETE FROM holds')",
      ],
    ],
  ],
  [
    'answers by the id alone',
    'another call with a known id: its earlier hold stays',
    [['known.call === same', 'known']],
  ],
  [
    'ignores the currency',
    '1251 JPY is held, exactly',
    [['.run(...hold, part)', ".run(trans, card, 'EUR', part)"]],
  ],
  [
    'rounds yen to hundreds',
    '1251 JPY is held, exactly',
    [['return minor', "return currency === 'JPY' ? Math.round(minor / 100) * 100 : minor"]],
  ],
  [
    'has two decimals for all currencies',
    '12.345 KWD',
    [['WITHOUT_DECIMALS.has(currency) ? 0 : WITH_3_DECIMALS.has(currency) ? 3 : 2', '2']],
  ],
  [
    'approves a part above the amount',
    'more than there is, in EUR: a part only where it is allowed, and of the right size',
    [
      [
        '{partialApprovalAmount: amountOf(part, currency)}',
        '{partialApprovalAmount: amountOf(minor + part, currency)}',
      ],
    ],
  ],
  [
    'approves a part where none is allowed',
    'more than there is, in EUR: a part only where it is allowed, and of the right size',
    [[' && data.partialApprovalCapable === true', '']],
  ],
  [
    'holds the whole amount of a partial approval',
    'a partial approval holds its part',
    [['.run(...hold, part)', ".run(trans, card, currency, code === '10' ? minor : part)"]],
  ],
  [
    'releases twice for a repeated reversal',
    'a repeated reversal releases once',
    [['if (known)', "if (known && kind !== 'REVERSAL')"], AGAIN],
  ],
  [
    'releases other payments of the card',
    'a reversal releases no more than is held',
    [
      [
        '.run(after, ...hold)',
        ".run(after, ...hold)\n      db.prepare('UPDATE holds SET minor = ? WHERE card = ?').run(after, card)",
      ],
    ],
  ],
  [
    'fails at an unknown field',
    'unknown fields change no decision',
    [
      [
        "db.exec('BEGIN IMMEDIATE')",
        "if ('somethingNew' in data) throw new NoCall('unknown')\n  db.exec('BEGIN IMMEDIATE')",
      ],
    ],
  ],
  [
    'ends at a huge body',
    /^(a huge call|after the huge one)$/,
    [
      [
        'if (size <= MAX_BODY) chunks.push(chunk)',
        'if (size > MAX_BODY) process.exit(1)\n    chunks.push(chunk)',
      ],
    ],
  ],
  [
    'answers 200 with broken JSON',
    'coffee',
    [['.end(JSON.stringify(answer))', '.end(JSON.stringify(answer).slice(0, -1))']],
  ],
  [
    'ends when a connection is dropped',
    'a connection dropped in the request: answer repeated',
    [['response.destroy()', 'process.exit(1)']],
  ],
  [
    'refuses a warm-up, and every call after one that failed',
    'a warm-up that fails, then a call',
    [
      [
        'const body = await bodyOf(request)',
        "const body = await bodyOf(request).catch(() => {\n    if (request.url === '/warm-up') Object.assign(globalThis, {cold: true})\n    throw new NoCall('cut')\n  })",
      ],
      [DECIDE, `if ('cold' in globalThis) return [503, {}]\n    ${DECIDE}`],
    ],
  ],
  [
    'answers every 50th call after 2.1 s',
    '99.9% of the answers within the deadline',
    [
      [
        DECIDE,
        `const seen = Object(globalThis)
         seen.count = (seen.count ?? 0) + 1
         if (seen.count % 50 === 0) await new Promise(resolve => setTimeout(resolve, 2100))
         ${DECIDE}`,
      ],
    ],
  ],
]

/** The example with changes, each of which is in it exactly once. */
function patched(patch: Patch): string {
  return patch.reduce((text, [from, to]) => {
    expect(text.split(from).length - 1, from).toBe(1)
    return text.replace(from, () => to)
  }, EXAMPLE)
}

/** Runs an endpoint and certifies it; its holds are read from its file. */
async function certified(
  source: string,
  more: {readonly withoutHelp?: boolean; readonly calls?: number} = {},
) {
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
  onTestFinished(async () => {
    caller.close()
    await stop()
    rmSync(folder, {recursive: true})
  })
  const query =
    'SELECT DISTINCT h.trans, currency, minor FROM holds h JOIN decisions d ON d.trans = h.trans WHERE d.id = ?'
  const probe = async (id: string) => {
    const db = new DatabaseSync(file)
    const rows = db.prepare(query).all(id)
    db.close()
    const decimals: Record<string, number> = {JPY: 0, KWD: 3}
    return readHolds(
      JSON.stringify(
        rows.map(({currency, minor}) => ({
          amount: Number(minor) / 10 ** (decimals[String(currency)] ?? 2),
          currency,
        })),
      ),
    )
  }
  const restart = async () => {
    await stop()
    child = await start()
    return {}
  }
  const suites = await Promise.all(
    ['smoke', 'money', 'identity', 'hostile'].map(async name => {
      const {suite} = await readSuite(readFileSync(`${ROOT}examples/suites/${name}.yaml`, 'utf8'), name)
      if (!suite) throw new Error(name)
      return suite
    }),
  )
  const run = certify({
    caller,
    suites,
    signal: new AbortController().signal,
    now: Date.now,
    newId: randomUUID,
    random: Math.random,
    calls: more.calls ?? 40,
    rate: 100,
    ...(more.withoutHelp ? {} : {probe, restart}),
  })
  let next = await run.next()
  while (next.done !== true) next = await run.next()
  return next.value
}

const named = (checks: readonly CertifiedCheck[], state: CertifiedCheck['state']) =>
  checks.filter(check => check.state === state).map(({name}) => name)

describe('a certificate', () => {
  test('finds nothing in the example itself', async () => {
    const {checks, counts, stopped} = await certified(EXAMPLE)
    expect(named(checks, 'failed').filter(name => !name.includes('deadline'))).toEqual([])
    expect(named(checks, 'not checked')).toContain('the 99.9th percentile within the deadline')
    expect(counts.passed).toBeGreaterThan(90)
    expect(stopped).toBeUndefined()
  })

  test.each(faults)('names the fault of an endpoint that %s', async (_, found, patch) => {
    const {checks} = await certified(patched(patch), {calls: 100})
    expect(named(checks, 'failed')).toContainEqual(
      typeof found === 'string' ? found : expect.stringMatching(found),
    )
  })

  test('counts what needs a probe or a restart as not checked without them', async () => {
    const {checks} = await certified(EXAMPLE, {withoutHelp: true})
    const open = checks.filter(({state}) => state === 'not checked')
    expect(new Set(open.map(({reason}) => reason))).toEqual(
      new Set([
        'calls are sent without the credential or signature that it needs',
        'it needs --probe',
        'it needs --restart',
        'it needs --restart and --probe',
        'it needs 10000 calls, and --calls was 40',
      ]),
    )
    const words = checks.filter(({name}) => name.includes('decided once'))
    expect(words.map(({state}) => state).filter(state => state !== 'not checked')).toEqual([])
    expect(words.length).toBeGreaterThan(4)
  })

  test('says of the rest of an endpoint that ended that it was not checked', async () => {
    const source = patched([
      [
        'if (size <= MAX_BODY) chunks.push(chunk)',
        'if (size > MAX_BODY) process.exit(1)\n    chunks.push(chunk)',
      ],
    ])
    const {checks} = await certified(source, {withoutHelp: true})
    expect(checks.at(-1)).toMatchObject({
      state: 'not checked',
      reason: expect.stringMatching(/^the endpoint no longer answered; this showed first at: .*huge/),
    })
    // Whether the call itself or the next one finds nobody depends on the connection that it used.
    expect(named(checks, 'failed')).toEqual([expect.stringMatching(/^(a huge call|after the huge one)$/)])
  })
})
