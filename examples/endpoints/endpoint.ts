// An endpoint that decides about authorisations. Node 24 or later, standard library only.
//
//   node endpoint.ts serve 3000 holds.db     WEBHOOK_USER and WEBHOOK_PASSWORD: HTTP Basic; WEBHOOK_KEY: signature
//   node endpoint.ts probe holds.db [ID]     the holds of a call's transaction, as JSON; without ID, of ids line by line
import {createHash, createHmac, timingSafeEqual} from 'node:crypto'
import {createServer, type IncomingHttpHeaders, type IncomingMessage} from 'node:http'
import type {AddressInfo} from 'node:net'
import process from 'node:process'
import {createInterface} from 'node:readline'
import {DatabaseSync} from 'node:sqlite'

/** Of all holds of a card, in units of each currency. */
const LIMIT = 5000
/** Of the currencies of ISO 4217 whose decimals aren't 2. */
const DECIMALS = new Map<string, number>([
  ...each('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF', 0),
  ...each('BHD IQD JOD KWD LYD OMR TND', 3),
  ...each('CLF UYW', 4),
])
/** Up to here a number has every smallest unit. */
const MOST_MINOR = 1e15
const MAX_BODY = 65_536
/** How long a hold is valid if the call doesn't say it. */
const DAYS = 7
/** The deadline of a call in milliseconds: later, nobody waits for the answer. */
const READ_TIMEOUT = 2000
const FREE = new Set([
  'CREDIT',
  'ORIGINAL_CREDIT',
  'P2P_CREDIT',
  'BALANCE_INQUIRY',
  'PIN_CHANGE',
  'PIN_UNBLOCK',
])

function each(codes: string, decimals: number): [string, number][] {
  return codes.split(' ').map(code => [code, decimals])
}

class NoCall extends Error {}

interface Amount {
  amount: number
  currency: string
}

/** What is read of a call. Any of it may be missing or of another type; then reading it throws. */
interface Call {
  metadata: {id: string; transactionId?: string | null}
  customer: object
  account: {accountId: string; availableAmount?: Amount | null}
  card: {cardId: string}
  merchantData: object
  transactionData: {
    transactionType: string
    transactionAmount?: Amount | null
    billingAmount?: Amount | null
    replacementAmount?: Amount | null
    partialApprovalCapable?: boolean | null
    authValidityInDays?: number | null
  }
}

const decimalsOf = (currency: string): number => DECIMALS.get(currency) ?? 2

/** The amount as a whole number of the smallest unit: 12.50 EUR is 1250, 1250 JPY is 1250. */
function minorUnits({amount, currency}: Amount): number {
  if (!/^[A-Z]{3}$/.test(text(currency)) || typeof amount !== 'number') throw new NoCall('no such amount')
  const minor = Math.round(amount * 10 ** decimalsOf(currency))
  const isWhole = minor / 10 ** decimalsOf(currency) === amount
  if (!(isWhole && minor >= 0 && minor < MOST_MINOR)) throw new NoCall('no such amount')
  return minor
}

const amountOf = (minor: number, currency: string): Amount => ({
  amount: minor / 10 ** decimalsOf(currency),
  currency,
})

function object(value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new NoCall('an object is missing')
}

function text(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new NoCall('text is missing')
  return value
}

function openFile(name: string): DatabaseSync {
  const db = new DatabaseSync(name)
  // A decision is on the disk before it is answered, also if the power fails.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  db.exec('CREATE TABLE IF NOT EXISTS decisions (id TEXT PRIMARY KEY, call TEXT, answer TEXT, trans TEXT)')
  // An amount in another currency never changes a hold.
  db.exec(`CREATE TABLE IF NOT EXISTS holds
    (trans TEXT, card TEXT, currency TEXT, minor INTEGER, until INTEGER, PRIMARY KEY (trans, card, currency))`)
  db.exec('CREATE INDEX IF NOT EXISTS holds_of_card ON holds (card, currency)')
  return db
}

/** The same text for the same call: only traceId, the order of fields and fields that are null may differ. */
const fingerprint = ({metadata, ...rest}: Call): string =>
  JSON.stringify({...rest, metadata: {...metadata, traceId: null}}, (_, inner) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    const fields = Object.entries(inner).filter(([, field]) => field !== null)
    return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)))
  })

/** `undo`, of what is held: the call was not decided after all. */
type Decision = [status: number, answer: unknown, undo?: () => void]

/**
 * The answer to a call: the earlier one if the call was here before, also before a restart. Nothing waits in here, so
 * there is one decision at a time.
 */
function decide(db: DatabaseSync, call: Call): Decision {
  const {metadata, transactionData: data} = call
  for (const part of [call.customer, call.account, call.merchantData]) object(part)
  text(call.account.accountId)
  const [id, kind, card] = [text(metadata.id), text(data.transactionType), text(call.card.cardId)]
  const trans = text(metadata.transactionId ?? id)
  const asked: Amount = data.transactionAmount ?? data.billingAmount ?? {amount: 0, currency: 'EUR'}
  minorUnits(asked)
  minorUnits(data.billingAmount ?? asked)
  const left = kind === 'REVERSAL' ? data.replacementAmount : undefined
  const currency = (left ?? asked).currency
  const [minor, same, hold] = [minorUnits(left ?? asked), fingerprint(call), [trans, card, currency]]
  const known = db.prepare('SELECT call, answer FROM decisions WHERE id = ?').get(id)
  if (known)
    return known.call === same
      ? [200, JSON.parse(String(known.answer))]
      : [409, {title: 'Another call had this id'}]
  const now = Date.now()
  const until = now + (data.authValidityInDays ?? DAYS) * 86_400_000
  const isHold = 'WHERE trans = ? AND card = ? AND currency = ?'
  db.prepare('DELETE FROM holds WHERE card = ? AND until <= ?').run(card, now) // those that nobody collected
  const held = Number(db.prepare(`SELECT minor FROM holds ${isHold}`).get(...hold)?.minor ?? 0)
  let code = '00'
  let raised = 0
  let more = {}
  if (kind === 'REVERSAL') {
    const after = left ? Math.min(held, minor) : Math.max(0, held - minor)
    db.prepare(`UPDATE holds SET minor = ? ${isHold}`).run(after, ...hold)
  } else if (kind === 'BALANCE_INQUIRY') {
    more = {availableAmount: call.account.availableAmount ?? amountOf(0, currency)}
  } else if (!FREE.has(kind) && minor > 0) {
    const sum = db
      .prepare('SELECT coalesce(sum(minor), 0) AS sum FROM holds WHERE card = ? AND currency = ?')
      .get(card, currency)
    const room = LIMIT * 10 ** decimalsOf(currency) - Number(sum?.sum)
    let part = Math.min(minor, Math.max(0, room))
    if (part > 0 && part < minor && data.partialApprovalCapable === true) {
      code = '10'
      more = {partialApprovalAmount: amountOf(part, currency)}
    } else if (part < minor) {
      code = '51'
      part = 0
    }
    const raise = `INSERT INTO holds VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (trans, card, currency) DO UPDATE SET minor = minor + excluded.minor, until = excluded.until`
    if (part > 0) db.prepare(raise).run(...hold, part, until)
    raised = part
  }
  const answer = {transactionData: {authResponseCode: {code}, ...more}}
  db.prepare('INSERT INTO decisions VALUES (?, ?, ?, ?)').run(id, same, JSON.stringify(answer), trans)
  const undo = () => {
    db.prepare('DELETE FROM decisions WHERE id = ?').run(id)
    db.prepare(`UPDATE holds SET minor = max(0, minor - ?) ${isHold}`).run(raised, ...hold)
  }
  return raised > 0 ? [200, answer, undo] : [200, answer]
}

interface Waiting {
  readonly call: Call
  /** When its answer must be there, by performance.now(). */
  readonly due: number
  answer(decision: Decision): void
  fail(error: unknown): void
}

let waiting: Waiting[] = []

/** The decision about a call, once it is on the disk. */
function decided(db: DatabaseSync, call: Call, due = performance.now() + READ_TIMEOUT): Promise<Decision> {
  return new Promise((answer, fail) => {
    // Calls that come while the disk is waited for are the next to be written, together.
    if (waiting.push({call, due, answer, fail}) === 1) setImmediate(decideWaiting, db)
  })
}

/** Decides all calls that wait, one after the other. However many they are, the disk is waited for once. */
function decideWaiting(db: DatabaseSync): void {
  const calls = waiting
  waiting = []
  try {
    db.exec('BEGIN IMMEDIATE')
    const tellers = calls.map(each => attempt(db, each))
    db.exec('COMMIT')
    for (const tell of tellers) tell()
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    for (const {fail} of calls) fail(error)
  }
}

/** Returns what tells the outcome: nobody may know it before it is on the disk. */
function attempt(db: DatabaseSync, {call, due, answer, fail}: Waiting): () => void {
  db.exec('SAVEPOINT attempt')
  try {
    const decision = decide(db, call)
    return () => {
      if (performance.now() > due) decision[2]?.() // a late answer counts as none
      answer(decision)
    }
  } catch (error) {
    db.exec('ROLLBACK TO attempt')
    return () => fail(error)
  } finally {
    db.exec('RELEASE attempt')
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= MAX_BODY) chunks.push(chunk) // drops the rest, but reads it, so that the sender gets the answer
  }
  return size <= MAX_BODY ? Buffer.concat(chunks) : undefined
}

/** Over the bytes of the body as they came, before anything parses them; at most 5 minutes old. */
function signatureIsRight(headers: IncomingHttpHeaders, body: Buffer, key: string): boolean {
  const stamp = String(headers['x-signature-timestamp'] ?? '')
  if (!/^[0-9]{1,12}$/.test(stamp) || Math.abs(Date.now() / 1000 - Number(stamp)) > 300) return false
  const expected = createHmac('sha256', key).update(`${stamp}.`).update(body).digest()
  const given = String(headers['x-signature'] ?? '').split(',')
  return given
    .map(one => Buffer.from(one.trim(), 'hex'))
    .some(one => one.length === expected.length && timingSafeEqual(one, expected))
}

const {WEBHOOK_USER: user, WEBHOOK_PASSWORD: password = '', WEBHOOK_KEY: key} = process.env
const digest = (value: string): Buffer => createHash('sha256').update(value).digest()
const expected =
  user === undefined ? undefined : digest(`Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`)

async function respond(db: DatabaseSync, request: IncomingMessage): Promise<Decision> {
  if (expected && !timingSafeEqual(digest(request.headers.authorization ?? ''), expected))
    return [401, {title: 'Wrong credentials'}] // before the body is read
  const due = performance.now() + READ_TIMEOUT
  if (request.method !== 'POST') return [405, {title: 'Calls are POST'}]
  const body = await bodyOf(request)
  if (body === undefined) return [413, {title: 'The call is too large'}]
  if (key !== undefined && !signatureIsRight(request.headers, body, key))
    return [401, {title: 'Wrong signature'}]
  if (request.url === '/warm-up') return [200, {}]
  if (request.url !== '/auth') return [404, {title: 'Calls go to /auth and /warm-up'}]
  try {
    return await decided(db, JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(body)), due)
  } catch (error) {
    const isBad = [NoCall, SyntaxError, TypeError, RangeError].some(kind => error instanceof kind)
    return isBad ? [400, {title: 'This is no call of the contract'}] : [500, {title: 'No decision'}]
  }
}

const [command, first = '', second = ''] = process.argv.slice(2)
if (command === 'probe') {
  const query =
    'SELECT h.trans, card, currency, minor FROM holds h JOIN decisions d ON d.trans = h.trans WHERE d.id = ? AND minor > 0 AND until > ?'
  const statement = openFile(first).prepare(query)
  // One id, or ids line by line.
  for await (const id of second === '' ? createInterface({input: process.stdin}) : [second]) {
    const holds = statement.all(id, Date.now()).map(row => ({
      transactionId: row.trans,
      cardId: row.card,
      ...amountOf(Number(row.minor), String(row.currency)),
    }))
    console.log(JSON.stringify(holds))
  }
} else {
  const db = openFile(second)
  const limits = {requestTimeout: READ_TIMEOUT, connectionsCheckingInterval: 200}
  const server = createServer(limits, async (request, response) => {
    try {
      const [status, answer] = await respond(db, request)
      response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(answer))
    } catch {
      response.destroy() // the caller has gone
    }
  })
  server.listen(Number(first), '127.0.0.1', () =>
    console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  )
}
