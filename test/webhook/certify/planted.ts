// Copies of the TypeScript example with a planted fault each, and what a certificate says of them.
import {spawn} from 'node:child_process'
import {randomUUID} from 'node:crypto'
import {once} from 'node:events'
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {exponentOf} from '../../../src/money/exponents.ts'
import {SIGNATURE_DEFAULTS} from '../../../src/network/signature-defaults.ts'
import {Secret} from '../../../src/sensitive/secret.ts'
import {behaviourChecks} from '../../../src/webhook/certify/behaviour.ts'
import type {Control} from '../../../src/webhook/certify/control.ts'
import {type Certified, certify} from '../../../src/webhook/certify/index.ts'
import {readHolds} from '../../../src/webhook/certify/probe.ts'
import {openCaller} from '../../../src/webhook/index.ts'
import {readSuite, type Suite} from '../../../src/webhook/suite/index.ts'
import {ROOT} from '../../docs/pages.ts'
import {freePort} from '../../helpers/free-port.ts'

export const EXAMPLE = readFileSync(`${ROOT}examples/endpoints/endpoint.ts`, 'utf8')

const SIGNATURE = {...SIGNATURE_DEFAULTS, keys: [new Secret('made-up key')]}

/** In memory where there is such a folder: the example waits for the disk at each decision. */
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Texts of the example, and what stands there instead. */
export type Patch = readonly (readonly [from: string, to: string])[]

/** The suites of a whole certificate, but for the load, which is measured by the calls for the deadline. */
export const SUITES = ['smoke', 'money', 'identity', 'hostile'] as const

export interface Planted {
  /** What the endpoint does. */
  readonly fault: string
  /** The rule that this breaks, by its id. */
  readonly rule: string
  /** The suite whose steps find it; without one it is found by a check of behaviour or of the deadline. */
  readonly suite?: (typeof SUITES)[number]
  /** How many calls for the deadline show it. */
  readonly calls?: number
  /** Whether it needs a probe to be seen: otherwise calls show it, too. */
  readonly needsProbe?: true
  readonly needsRestart?: true
  /** The endpoint checks the signatures of calls, and calls are signed. */
  readonly isSigned?: true
  readonly patch: Patch
}

const AGAIN = ['INSERT INTO decisions', 'INSERT OR REPLACE INTO decisions'] as const
const DECIDE =
  "return await decided(db, JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(body)), due)"
const RELEASE = 'const after = left ? Math.min(held, minor) : Math.max(0, held - minor)'
const IS_PAYMENT = '} else if (!FREE.has(kind) && minor > 0) {'
const PARSED = "JSON.parse(body.toString('utf8'))"

/** Holds EUR 200 for a call that must hold nothing, if a condition on `kind`, `minor`, `code` or `data` is true. */
const holdsAnyway = (condition: string): Patch => [
  [
    'const answer = {transactionData: {authResponseCode: {code}, ...more}}',
    `const answer = {transactionData: {authResponseCode: {code}, ...more}}
  if (${condition}) db.prepare('INSERT OR REPLACE INTO holds VALUES (?, ?, ?, ?, ?)').run(trans, card, 'EUR', 20000, until)`,
  ],
]

/** The signature of a call, checked over its bytes, or over something else. */
const signed = (over: string): Patch => [
  [
    DECIDE,
    `const {createHmac} = await import('node:crypto')
    const time = request.headers['x-signature-timestamp']
    const own = createHmac('sha256', 'made-up key').update(\`\${time}.\`).update(${over}).digest('hex')
    if (request.headers['x-signature'] !== own || Math.abs(Date.now() / 1000 - Number(time)) > 300) return [401, {}]
    ${DECIDE}`,
  ],
]

export const plantedFaults: readonly Planted[] = [
  {
    rule: 'paths',
    fault: 'has another path',
    patch: [["request.url !== '/auth'", "request.url !== '/authorize'"]],
  },
  {
    rule: 'status',
    fault: 'answers 200 with broken JSON',
    patch: [['.end(JSON.stringify(answer))', '.end(JSON.stringify(answer).slice(0, -1))']],
  },
  {
    rule: 'status',
    fault: 'has a status of its own for a decision',
    patch: [['response.writeHead(status,', 'response.writeHead(status === 200 ? 201 : status,']],
  },
  {
    rule: 'warm-up',
    fault: 'refuses warm-ups',
    patch: [
      [
        "if (request.url === '/warm-up') return [200, {}]",
        "if (request.url === '/warm-up') return [503, {}]",
      ],
    ],
  },
  {
    rule: 'warm-up-changes-nothing',
    fault: 'forgets what it decided at a warm-up',
    patch: [
      [
        "if (request.url === '/warm-up') return [200, {}]",
        "if (request.url === '/warm-up') return (db.exec('DELETE FROM holds'), [200, {}])",
      ],
    ],
  },
  {
    rule: 'warm-up-changes-nothing',
    fault: 'decides the call in the body of a warm-up',
    patch: [
      [
        "if (request.url === '/warm-up') return [200, {}]",
        `if (request.url === '/warm-up') {
    const {card} = JSON.parse(body.toString('utf8') || '{}')
    if (card) await decided(db, JSON.parse(body.toString('utf8')))
    return [200, {}]
  }`,
      ],
    ],
  },
  {
    rule: 'failed-warm-up',
    fault: 'refuses every call after a warm-up that failed',
    patch: [
      [
        'const body = await bodyOf(request)',
        "const body = await bodyOf(request).catch(() => {\n    if (request.url === '/warm-up') Object.assign(globalThis, {cold: true})\n    throw new NoCall('cut')\n  })",
      ],
      [DECIDE, `if ('cold' in globalThis) return [503, {}]\n    ${DECIDE}`],
    ],
  },
  {
    rule: 'deadline',
    fault: 'answers every 50th call after 2.1 s',
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
  {
    rule: 'broken-calls',
    fault: 'ends at a huge body',
    suite: 'hostile',
    patch: [
      [
        'if (size <= MAX_BODY) chunks.push(chunk)',
        'if (size > MAX_BODY) process.exit(1)\n    chunks.push(chunk)',
      ],
    ],
  },
  {
    rule: 'broken-calls',
    fault: 'ends at a body that is empty',
    suite: 'hostile',
    patch: [
      [
        'if (body === undefined) return',
        'if (body?.length === 0) process.exit(1)\n  if (body === undefined) return',
      ],
    ],
  },
  {
    rule: 'broken-calls',
    fault: 'approves what it cannot read',
    suite: 'hostile',
    patch: [
      [
        'return isBad ? [400,',
        "if (isBad) return [200, {transactionData: {authResponseCode: {code: '00'}}}]\n    return isBad ? [400,",
      ],
    ],
  },
  {
    rule: 'credentials',
    fault: 'takes calls without a signature',
    suite: 'hostile',
    isSigned: true,
    patch: [],
  },
  {
    rule: 'signature-bytes',
    fault: 'checks the signature over what it has parsed and written again',
    isSigned: true,
    patch: signed(`JSON.stringify(${PARSED})`),
  },
  {
    rule: 'holds',
    fault: 'holds half of what it approves',
    patch: [
      [
        '.run(...hold, part, until)',
        '.run(...hold, kind === "RETAIL" && code === "00" ? Math.floor(part / 2) : part, until)',
      ],
    ],
  },
  {
    rule: 'amounts',
    fault: 'cuts what floating point spoils',
    patch: [
      [
        'const minor = Math.round(amount * 10 ** decimalsOf(currency))',
        'const minor = Math.trunc(amount * 10 ** decimalsOf(currency))',
      ],
      ['if (!(isWhole && minor >= 0', 'if (!((isWhole || amount > 0) && minor >= 0'],
    ],
  },
  {
    rule: 'amounts',
    fault: 'ignores the currency',
    needsProbe: true,
    patch: [['.run(...hold, part, until)', ".run(trans, card, 'EUR', part, until)"]],
  },
  {
    rule: 'amounts',
    fault: 'rounds yen to hundreds',
    needsProbe: true,
    patch: [['return minor', "return currency === 'JPY' ? Math.round(minor / 100) * 100 : minor"]],
  },
  {
    rule: 'amounts',
    fault: 'has two decimals for all currencies',
    patch: [['DECIMALS.get(currency) ?? 2', '2']],
  },
  {
    rule: 'declines',
    fault: 'holds what it declines',
    patch: holdsAnyway("kind === 'RETAIL' && code === '51' && minor > 500000"),
  },
  {
    rule: 'zero-amounts',
    fault: 'holds for an amount of zero',
    patch: holdsAnyway("kind === 'RETAIL' && minor === 0"),
  },
  ...['CREDIT', 'ORIGINAL_CREDIT', 'P2P_CREDIT'].map(
    (type): Planted => ({rule: 'credits', fault: `holds for ${type}`, patch: [[`  '${type}',\n`, '']]}),
  ),
  {rule: 'pin-changes', fault: 'holds for a change of the PIN', patch: holdsAnyway("kind === 'PIN_UNBLOCK'")},
  {
    rule: 'balance-inquiries',
    fault: 'holds for a balance inquiry',
    patch: holdsAnyway("kind === 'BALANCE_INQUIRY'"),
  },
  {
    rule: 'balance-inquiries',
    fault: 'approves a balance inquiry without the balance',
    patch: [['more = {availableAmount: call.account.availableAmount ?? amountOf(0, currency)}', 'more = {}']],
  },
  {
    rule: 'balances',
    fault: 'has less as the balance after a reversal',
    patch: [
      [
        'more = {availableAmount: call.account.availableAmount ?? amountOf(0, currency)}',
        `const seen = db.prepare('SELECT count(*) AS seen FROM holds WHERE card = ? AND minor = 0').get(card)
    more = {availableAmount: amountOf(500000 - 1000 * Number(seen?.seen), 'EUR')}`,
      ],
    ],
  },
  {
    rule: 'released-amounts',
    fault: 'releases all for a reversal of an amount',
    patch: [[RELEASE, 'const after = left ? Math.min(held, minor) : 0']],
  },
  {
    rule: 'released-amounts',
    fault: 'releases nothing',
    patch: [[RELEASE, 'const after = left ? Math.min(held, minor) : held']],
  },
  {
    rule: 'partial-reversals',
    fault: 'takes replacementAmount for what is released',
    patch: [[RELEASE, 'const after = Math.max(0, held - minor)']],
  },
  {
    rule: 'reversals-at-most',
    fault: 'releases other payments of the card',
    patch: [
      [
        '.run(after, ...hold)',
        ".run(after, ...hold)\n      if (held === 0) db.prepare('UPDATE holds SET minor = ? WHERE card = ?').run(after, card)",
      ],
    ],
  },
  {
    rule: 'reversals-credit-nothing',
    fault: 'pays out what is reversed beyond the hold',
    patch: [
      [
        RELEASE,
        'const after = left ? Math.min(held, minor) : minor > held && held > 0 ? held - minor : Math.max(0, held - minor)',
      ],
    ],
  },
  {
    rule: 'reversals-credit-nothing',
    fault: 'pays out the reversal of nothing known',
    patch: [
      [
        '.run(after, ...hold)',
        `.run(after, ...hold)
    const known = db.prepare('SELECT 1 FROM holds WHERE trans = ?').get(trans)
    if (!known) db.prepare('INSERT INTO holds VALUES (?, ?, ?, ?, ?)').run(trans, card, currency, -minor, until)`,
      ],
    ],
  },
  {
    rule: 'reversals',
    fault: 'declines the reversal of nothing known',
    patch: [
      [
        RELEASE,
        `${RELEASE}\n    if (!db.prepare('SELECT 1 FROM holds WHERE card = ?').get(card)) code = '05'`,
      ],
    ],
  },
  {
    rule: 'partial-capability',
    fault: 'approves a part where partialApprovalCapable is absent',
    patch: [['data.partialApprovalCapable === true', 'data.partialApprovalCapable !== false']],
  },
  {
    rule: 'partial-amounts',
    fault: 'approves a part above the amount',
    patch: [
      [
        '{partialApprovalAmount: amountOf(part, currency)}',
        '{partialApprovalAmount: amountOf(minor + part, currency)}',
      ],
    ],
  },
  {
    rule: 'partial-amounts',
    fault: 'holds the whole amount of a partial approval',
    patch: [
      ['.run(...hold, part, until)', ".run(trans, card, currency, code === '10' ? minor : part, until)"],
    ],
  },
  {
    rule: 'increments',
    fault: 'replaces the hold by the increment',
    patch: [
      [
        'minor = minor + excluded.minor',
        'minor = CASE WHEN excluded.minor > 0 THEN excluded.minor ELSE minor END',
      ],
    ],
  },
  {
    rule: 'declined-increments',
    fault: 'releases the hold when it declines an increment',
    patch: [
      [
        'if (part > 0) db.prepare(raise).run(...hold, part, until)',
        'db.prepare(raise).run(...hold, part === 0 ? -held : part, until)',
      ],
    ],
  },
  {
    rule: 'unknown-fields',
    fault: 'fails at an unknown field of an amount',
    patch: [
      [
        'function minorUnits({amount, currency}: Amount): number {',
        "function minorUnits({amount, currency, ...more}: Amount): number {\n  if (Object.keys(more).length > 0) throw new NoCall('unknown')",
      ],
    ],
  },
  {
    rule: 'null-fields',
    fault: 'fails at an expiration that is null',
    patch: [
      [
        'const left = kind',
        "if ((call.card as {expiration?: unknown}).expiration === null) throw new NoCall('null')\n  const left = kind",
      ],
    ],
  },
  {
    rule: 'unknown-values',
    fault: 'refuses an unknown verification',
    patch: [
      [
        'const left = kind',
        "if (JSON.stringify(call).includes('IRIS')) throw new NoCall('unknown')\n  const left = kind",
      ],
    ],
  },
  {
    rule: 'unknown-types',
    fault: 'holds nothing for an unknown type',
    patch: [[IS_PAYMENT, "} else if (!FREE.has(kind) && kind !== 'SOMETHING_NEW' && minor > 0) {"]],
  },
  {
    rule: 'unknown-types',
    fault: 'declines an unknown type',
    patch: [
      [
        IS_PAYMENT,
        "} else if (kind === 'SOMETHING_NEW') code = '57'\n  else if (!FREE.has(kind) && minor > 0) {",
      ],
    ],
  },
  {
    rule: 'repeats',
    fault: 'holds a repeated call again',
    patch: [['if (known)', "if (known && kind !== 'REVERSAL')"], AGAIN].map(
      ([from = '', to = '']) => [from, to.replace("kind !== 'REVERSAL'", "kind === 'REVERSAL'")] as const,
    ),
  },
  {
    rule: 'repeats',
    fault: 'approves an id that it declined before',
    patch: [['if (known)', `if (known && !String(known.answer).includes('"51"'))`], AGAIN],
  },
  {
    rule: 'parallel-repeats',
    fault: 'holds parallel calls with one id twice',
    patch: [
      [
        DECIDE,
        `const call = ${PARSED}
         const known = db.prepare('SELECT 1 FROM decisions WHERE id = ?').get(String(call.metadata?.id))
         if (!known && call.transactionData?.transactionType !== 'REVERSAL') unknown.add(call)
         await new Promise(resolve => setTimeout(resolve, 20))
         return await decided(db, call)`,
      ],
      ['class NoCall', 'const unknown = new WeakSet<object>()\nclass NoCall'],
      ['if (known)', 'if (known && !unknown.has(call))'],
      AGAIN,
    ],
  },
  {
    rule: 'dropped-connections',
    fault: 'ends when a connection is dropped',
    patch: [['response.destroy()', 'process.exit(1)']],
  },
  {
    rule: 'dropped-connections',
    fault: 'forgets a decision whose answer nobody took',
    patch: [
      [
        "response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(answer))",
        `await new Promise(resolve => setTimeout(resolve, 20))
      if (request.socket.destroyed) db.exec('DELETE FROM decisions WHERE rowid = (SELECT max(rowid) FROM decisions)')
      response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(answer))`,
      ],
    ],
  },
  {
    rule: 'reversals-once',
    fault: 'releases twice for a repeated reversal',
    patch: [['if (known)', "if (known && kind !== 'REVERSAL')"], AGAIN],
  },
  {rule: 'reused-ids', fault: 'answers by the id alone', patch: [['known.call === same', 'known']]},
  {
    rule: 'transport',
    fault: 'needs Content-Length',
    patch: [[DECIDE, `if (request.headers['content-length'] === undefined) return [411, {}]\n    ${DECIDE}`]],
  },
  {
    rule: 'transport',
    fault: 'reads only the first piece of a body',
    patch: [['if (size <= MAX_BODY) chunks.push(chunk)', 'if (chunks.length === 0) chunks.push(chunk)']],
  },
  {
    rule: 'size',
    fault: 'takes less than 64 KiB',
    patch: [['const MAX_BODY = 65_536', 'const MAX_BODY = 65_535']],
  },
  {
    rule: 'repeats-after-restart',
    fault: 'forgets at a restart',
    needsRestart: true,
    patch: [
      [
        'const db = openFile(second)',
        "const db = openFile(second)\n  db.exec('DELETE FROM decisions; DELETE FROM holds')",
      ],
    ],
  },
  {
    rule: 'codes',
    fault: 'declines gambling with a code that is none',
    patch: [
      [
        IS_PAYMENT,
        `} else if (Object(Object(call.merchantData).category).code === '7995') code = '58'
  else if (!FREE.has(kind) && minor > 0) {`,
      ],
    ],
  },
  {
    rule: 'content-type',
    fault: 'takes no charset',
    patch: [
      [DECIDE, `if (request.headers['content-type'] !== 'application/json') return [415, {}]\n    ${DECIDE}`],
    ],
  },
  {
    rule: 'holds',
    fault: 'takes AFT for a credit',
    patch: [["  'PIN_UNBLOCK',\n", "  'PIN_UNBLOCK',\n  'AFT',\n"]],
  },
  {
    rule: 'fees',
    fault: 'holds fees, too',
    patch: [
      [
        '.run(...hold, part, until)',
        `.run(
      ...hold,
      part + (Object(data).transactionFees ?? []).reduce(
        (sum: number, fee: {feeAmount: Amount | null}) => sum + (fee?.feeAmount ? minorUnits(fee.feeAmount) : 0), 0),
      until)`,
      ],
    ],
  },
  {
    rule: 'expiry',
    fault: 'counts the days from the time that the call says',
    patch: [
      [
        'const until = now + ',
        'const until = (Date.parse(String(Object(data).transactionDateTime)) || now) + ',
      ],
    ],
  },
  {
    rule: 'amounts',
    fault: 'has amounts in 32 bits',
    patch: [['  return minor\n', '  return minor | 0\n']],
  },
  {
    rule: 'amounts',
    fault: 'takes no amount above 2^31',
    patch: [['const MOST_MINOR = 1e15', 'const MOST_MINOR = 2 ** 31']],
  },
  {rule: 'amounts', fault: 'does not know TND', patch: [['LYD OMR TND', 'LYD OMR']]},
  {rule: 'amounts', fault: 'has two decimals for CLF', patch: [["...each('CLF UYW', 4),", '']]},
  {
    rule: 'declines',
    fault: 'declines much cash after it held it',
    patch: [
      [
        '    raised = part\n',
        "    raised = part\n    if (kind === 'ATM' && minor > 50_000) [code, more] = ['61', {}]\n",
      ],
    ],
  },
  {
    rule: 'balance-inquiries',
    fault: 'has no balance if the call has none',
    patch: [
      [
        'more = {availableAmount: call.account.availableAmount ?? amountOf(0, currency)}',
        'more = {availableAmount: call.account.availableAmount}',
      ],
    ],
  },
  {
    rule: 'balance-inquiries',
    fault: 'leaves out an amount of zero',
    patch: [
      [
        'more = {availableAmount: call.account.availableAmount ?? amountOf(0, currency)}',
        `const shown = call.account.availableAmount ?? amountOf(0, currency)
    more = {availableAmount: shown.amount === 0 ? {currency: shown.currency} : shown}`,
      ],
    ],
  },
  {
    rule: 'partial-amounts',
    fault: 'approves a part of nothing',
    patch: [['if (part > 0 && part < minor &&', 'if (part < minor &&']],
  },
  {
    rule: 'increments',
    fault: 'loses increments that come at once',
    patch: [
      [
        DECIDE,
        `const call = ${PARSED}
    const trans = String(call.metadata?.transactionId)
    seen.set(call, Number(db.prepare('SELECT sum(minor) AS held FROM holds WHERE trans = ?').get(trans)?.held ?? 0))
    await new Promise(resolve => setTimeout(resolve, 5))
    return await decided(db, call, due)`,
      ],
      ['class NoCall', 'const seen = new WeakMap<object, number>()\nclass NoCall'],
      [
        'minor = minor + excluded.minor',
        `minor = \${call.metadata.messageCategory === 'INCREMENTAL_AUTHORIZATION' ? (seen.get(call) ?? 0) : 'minor'} + excluded.minor`,
      ],
      ['metadata: {id: string;', 'metadata: {messageCategory?: string; id: string;'],
    ],
  },
  {
    rule: 'increments',
    fault: 'replaces the hold by the approved part of an increment',
    patch: [['minor = minor + excluded.minor', `minor = \${code === '10' ? '' : 'minor +'} excluded.minor`]],
  },
  {
    rule: 'released-amounts',
    fault: 'releases what is billed of what was asked',
    patch: [
      [
        'const asked: Amount = data',
        'const asked: Amount = (kind === "REVERSAL" ? data.billingAmount : undefined) ?? data',
      ],
    ],
  },
  {
    rule: 'partial-reversals',
    fault: 'cuts the cents of replacementAmount',
    patch: [
      [
        RELEASE,
        'const after = left ? Math.min(held, Math.floor(minor / 100) * 100) : Math.max(0, held - minor)',
      ],
    ],
  },
  {
    rule: 'partial-reversals',
    fault: 'takes a replacementAmount of zero for none',
    patch: [
      [
        RELEASE,
        'const after = left && minor > 0 ? Math.min(held, minor) : Math.max(0, held - minorUnits(asked))',
      ],
    ],
  },
  {
    rule: 'partial-reversals',
    fault: 'raises the hold to replacementAmount',
    patch: [[RELEASE, 'const after = left ? minor : Math.max(0, held - minor)']],
  },
  {
    rule: 'partial-reversals',
    fault: 'lowers by the difference to replacementAmount',
    patch: [
      [RELEASE, 'const after = Math.max(0, held - (left ? Math.max(0, minorUnits(asked) - minor) : minor))'],
    ],
  },
  {
    rule: 'other-ids',
    fault: 'reverses originalTransactionId',
    patch: [
      [
        'const trans = text(metadata.transactionId ?? id)',
        "const trans = text((kind === 'REVERSAL' ? Object(data).originalTransactionId : undefined) ?? metadata.transactionId ?? id)",
      ],
    ],
  },
  {
    rule: 'exact-ids',
    fault: 'takes transactions that differ in case for one',
    patch: [
      [
        'const trans = text(metadata.transactionId ?? id)',
        'const trans = text(metadata.transactionId ?? id).toLowerCase()',
      ],
    ],
  },
  {
    rule: 'exact-ids',
    fault: 'takes ids of calls that differ in case for one',
    patch: [['(id TEXT PRIMARY KEY, call', '(id TEXT PRIMARY KEY COLLATE NOCASE, call']],
  },
  {
    rule: 'exact-ids',
    fault: 'normalises ids',
    patch: [
      [
        'const trans = text(metadata.transactionId ?? id)',
        "const trans = text(metadata.transactionId ?? id).normalize('NFC')",
      ],
    ],
  },
  {
    rule: 'early-reversals',
    fault: 'keeps a reversal for its payment',
    patch: [
      ['class NoCall', 'const debts = new Set<string>()\nclass NoCall'],
      [
        RELEASE,
        `${RELEASE}\n    if (!db.prepare('SELECT 1 FROM holds WHERE trans = ?').get(trans)) debts.add(trans)`,
      ],
      ['if (part > 0) db.prepare(raise)', 'if (part > 0 && !debts.delete(trans)) db.prepare(raise)'],
    ],
  },
  {
    rule: 'reversals',
    fault: 'declines a reversal with an old time',
    patch: [
      [
        RELEASE,
        `${RELEASE}\n    if (Date.now() - Date.parse(String(Object(data).transactionDateTime)) > 3_600_000) code = '05'`,
      ],
    ],
  },
  {
    rule: 'kept-ids',
    fault: 'keeps only its newest thousand answers',
    calls: 10_000,
    patch: [
      [
        "db.prepare('INSERT INTO decisions",
        `db.prepare('DELETE FROM decisions WHERE rowid <= (SELECT max(rowid) FROM decisions) - 1000').run()
  db.prepare('INSERT INTO decisions`,
      ],
    ],
  },
  {
    rule: 'repeats-after-restart',
    fault: 'forgets its answers to reversals at a restart',
    needsRestart: true,
    patch: [
      [
        'const db = openFile(second)',
        `const db = openFile(second)\n  db.exec("UPDATE decisions SET call = '', id = id || '-' WHERE call LIKE '%\\"REVERSAL\\"%'")`,
      ],
    ],
  },
  {
    rule: 'reused-ids',
    fault: 'compares without the merchant',
    patch: [
      [
        'const fingerprint = ({metadata, ...rest}: Call)',
        'const fingerprint = ({metadata, merchantData: _, ...rest}: Call)',
      ],
    ],
  },
  {
    rule: 'reused-ids',
    fault: 'overwrites the first call of an id',
    patch: [['if (known)', 'if (known && known.call === same)'], AGAIN],
  },
  {
    rule: 'broken-calls',
    fault: 'reads the first value of a body only',
    patch: [
      [
        DECIDE,
        `const text = body.toString('utf8')
    try {
      JSON.parse(text)
    } catch {
      return await decided(db, JSON.parse(text.slice(0, text.lastIndexOf('}}') + 2)), due)
    }
    ${DECIDE}`,
      ],
    ],
  },
  {
    rule: 'broken-calls',
    fault: 'takes NaN for a number',
    patch: [
      [
        "JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(body))",
        "JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(body).replaceAll(/:NaN\\b/g, ':0'))",
      ],
    ],
  },
  {
    rule: 'broken-calls',
    fault: 'takes bytes that are not UTF-8',
    patch: [['{fatal: true}', '{fatal: false}']],
  },
  {
    rule: 'broken-calls',
    fault: 'does not miss the merchant',
    patch: [['[call.customer, call.account, call.merchantData]', '[call.customer, call.account]']],
  },
  {
    rule: 'broken-calls',
    fault: 'takes the absolute amount',
    patch: [
      ['const minor = Math.round(amount', 'amount = Math.abs(amount)\n  const minor = Math.round(amount'],
    ],
  },
  {
    rule: 'broken-calls',
    fault: 'rounds decimals that a currency has not',
    patch: [['if (!(isWhole && minor >= 0', 'if (!((isWhole || amount > 0) && minor >= 0']],
  },
  {
    rule: 'broken-calls',
    fault: 'drops a body in chunks that is too large',
    patch: [
      [
        '    size += chunk.length\n',
        "    size += chunk.length\n    if (size > MAX_BODY && request.headers['content-length'] === undefined) request.socket.destroy()\n",
      ],
    ],
  },
  {
    rule: 'dropped-connections',
    fault: 'decides a body whose end did not come',
    patch: [
      [
        'const body = await bodyOf(request)\n',
        'const body = await bodyOf(request).catch(() => Object(request).soFar as Buffer)\n',
      ],
      [
        'if (size <= MAX_BODY) chunks.push(chunk)',
        'if (size <= MAX_BODY) Object.assign(request, {soFar: Buffer.concat([...chunks, chunk])}) && chunks.push(chunk)',
      ],
    ],
  },
  {
    rule: 'unknown-fields',
    fault: 'does not care for the case of names',
    patch: [
      [
        'function minorUnits({amount, currency}: Amount): number {',
        'function minorUnits(given: Amount): number {\n  const {currency} = given\n  const amount = Object(given).Amount ?? given.amount',
      ],
    ],
  },
  {
    rule: 'unknown-fields',
    fault: 'knows all fields of a fee',
    patch: [
      [
        'const left = kind',
        "if ((Object(data).transactionFees ?? []).some((fee: object) => 'somethingNew' in Object(fee))) throw new NoCall('unknown')\n  const left = kind",
      ],
    ],
  },
  {
    rule: 'null-fields',
    fault: 'fails at a category whose code is null',
    patch: [
      [
        'const left = kind',
        "if (Object(Object(call.merchantData).category).code === null) throw new NoCall('null')\n  const left = kind",
      ],
    ],
  },
  {
    rule: 'unknown-values',
    fault: 'refuses an unknown wallet',
    patch: [
      [
        'const left = kind',
        "if (!['walleta', 'walletb'].includes(Object(Object(call).token).walletIdentifier ?? 'walleta')) throw new NoCall('unknown')\n  const left = kind",
      ],
    ],
  },
  {
    rule: 'transport',
    fault: 'decodes a body piece by piece',
    patch: [
      [
        DECIDE,
        `new TextDecoder('utf-8', {fatal: true}).decode(body)
    return await decided(db, JSON.parse(Object(request).text), due)`,
      ],
      [
        'if (size <= MAX_BODY) chunks.push(chunk)',
        "Object.assign(request, {text: (Object(request).text ?? '') + chunk.toString('utf8')})\n    if (size <= MAX_BODY) chunks.push(chunk)",
      ],
    ],
  },
  {
    rule: 'amounts',
    fault: 'adds holds up in floating point',
    patch: [
      ['  return minor\n', '  return amount\n'],
      ['  amount: minor / 10 ** decimalsOf(currency),', '  amount: minor,'],
      ['currency TEXT, minor INTEGER,', 'currency TEXT, minor REAL,'],
      ['LIMIT * 10 ** decimalsOf(currency) - Number(sum?.sum)', 'LIMIT - Number(sum?.sum)'],
    ],
  },
  {
    rule: 'partial-amounts',
    fault: 'names the whole hold as the approved part of an increment',
    patch: [['amountOf(part, currency)}', 'amountOf(held + part, currency)}']],
  },
  {
    rule: 'other-ids',
    fault: 'takes linkId for the transaction where there is no other id',
    patch: [
      ['text(metadata.transactionId ?? id)', 'text(metadata.transactionId ?? Object(metadata).linkId ?? id)'],
    ],
  },
  {
    rule: 'exact-ids',
    fault: 'keeps 64 characters of an id',
    patch: [['text(metadata.transactionId ?? id)', 'text(metadata.transactionId ?? id).slice(0, 64)']],
  },
  {
    rule: 'reused-ids',
    fault: 'compares calls without what is available',
    patch: [
      [
        'const fingerprint = ({metadata, ...rest}: Call): string =>',
        'const fingerprint = ({metadata, account, ...rest}: Call): string =>',
      ],
      [
        'JSON.stringify({...rest, metadata:',
        'JSON.stringify({...rest, account: {...account, availableAmount: null}, metadata:',
      ],
    ],
  },
  {
    rule: 'codes',
    fault: 'has a code of its own for expired cards',
    patch: [
      [
        'const answer = {transactionData: {authResponseCode: {code}, ...more}}',
        "if (Number(Object(call.card).expiration?.year ?? 9999) < 2021) code = '33'\n  const answer = {transactionData: {authResponseCode: {code}, ...more}}",
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

/** Says that this machine is never busy. */
const QUIET: Control = {calls: () => [], close: async () => undefined}

export interface PlantedSettings {
  readonly suites?: readonly string[]
  /** By default all. */
  readonly behaviour?: typeof behaviourChecks
  /** For the deadline. */
  readonly calls?: number
  readonly withoutProbe?: boolean
  readonly withoutRestart?: boolean
  /** Calls are signed. */
  readonly isSigned?: boolean | undefined
  /** Ends with the first check that fails. */
  readonly bail?: boolean
  /** Suites of one's own. */
  readonly own?: readonly Suite[]
  /** Of generated calls; without it there are none. */
  readonly seed?: number
  /** How busy this machine is. */
  readonly control?: Control
}

/** Runs an endpoint and certifies it; its holds are read from its file. */
export async function certified(source: string, settings: PlantedSettings = {}): Promise<Certified> {
  const {
    suites = [],
    behaviour = behaviourChecks,
    calls = 1,
    withoutProbe,
    withoutRestart,
    isSigned,
  } = settings
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
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const caller = openCaller({
    base: new URL(`http://127.0.0.1:${port}`),
    deadlineMs: 2000,
    now: Date.now,
    ...(isSigned && {credentials: {signature: SIGNATURE}}),
  })
  const restart = async () => {
    await end()
    child = await start()
    return {}
  }
  try {
    const stop = new AbortController()
    const run = certify({
      caller,
      suites: [...(await Promise.all(suites.map(shippedSuite))), ...(settings.own ?? [])],
      behaviour,
      signal: stop.signal,
      now: Date.now,
      newId: randomUUID,
      random: Math.random,
      calls,
      rate: 100,
      url: `http://127.0.0.1:${port}`,
      seed: settings.seed,
      expects: isSigned ? ['signature'] : [],
      openControl: async () => settings.control ?? QUIET,
      ...(withoutProbe ? {} : {probe: async (id: string) => holdsOf(file, id)}),
      ...(withoutRestart ? {} : {restart}),
    })
    let next = await run.next()
    while (next.done !== true) {
      const {value} = next
      if (settings.bail && value.type === 'check' && value.state === 'failed') stop.abort()
      next = await run.next()
    }
    return next.value
  } finally {
    caller.close()
    await end()
    rmSync(folder, {recursive: true})
  }
}

/** Certifies the example with a fault until a check fails. */
export const certifiedFault = (
  {patch, suite, calls = 1, isSigned, needsRestart}: Planted,
  settings: PlantedSettings = {},
): Promise<Certified> =>
  certified(patched(patch), {
    suites: suite ? [suite] : [],
    calls,
    isSigned,
    withoutRestart: !needsRestart,
    bail: true,
    ...settings,
  })

export async function shippedSuite(name: string) {
  const {suite} = await readSuite(readFileSync(`${ROOT}examples/suites/${name}.yaml`, 'utf8'), name)
  if (!suite) throw new Error(name)
  return suite
}

const HOLDS =
  'SELECT DISTINCT h.trans, currency, minor FROM holds h JOIN decisions d ON d.trans = h.trans WHERE d.id = ?'

/** Read from the file of the example, without its own code: that may have the fault. */
function holdsOf(file: string, id: string) {
  const db = new DatabaseSync(file)
  const rows = db.prepare(HOLDS).all(id)
  db.close()
  const holds = rows.map(({currency, minor}) => ({
    amount: Number(minor) / 10 ** exponentOf(String(currency)),
    currency,
  }))
  return readHolds(JSON.stringify(holds))
}

/** The names of the checks that ended so. */
export const named = ({checks}: Certified, state: Certified['checks'][number]['state']): readonly string[] =>
  checks.filter(check => check.state === state).map(({name}) => name)

/** The rule that the first failed check names. */
export const firstRule = ({checks}: Certified): string | undefined =>
  checks.find(({state}) => state === 'failed')?.checks.find(({passed}) => !passed)?.rule
