// A service that works as the sandbox and speaks as examples/dialects/harbour.yaml says. Its translation is written by
// hand and shares nothing with the dialect engine.
import {createSandbox} from '../../src/sandbox/index.ts'
import {openService, reply} from '../helpers/service.ts'

type Json = Record<string, unknown>

const STATES: Record<string, string> = {
  CARD_OK: 'active',
  CARD_BLOCKED: 'blocked',
  SUSPECTED_FRAUD: 'fraud_suspected',
  CARD_NO_RENEWAL: 'not_renewed',
  CARD_CLOSED_DUE_TO_FRAUD: 'closed_for_fraud',
  CARD_LOST: 'lost',
  CARD_STOLEN: 'stolen',
  CARD_CLOSED: 'closed',
  CARD_EXPIRED: 'expired',
}
const BATCHES: Record<string, string> = {
  IN_PROGRESS: 'running',
  COMPLETED: 'done',
  FAILED: 'failed',
  COMPLETED_WITH_ERRORS: 'partly_done',
}
const ACCOUNTS: Record<string, string> = {
  open: 'ACCOUNT_OK',
  frozen: 'ACCOUNT_BLOCKED',
  closing: 'ACCOUNT_TO_CLOSE',
}
const WINDOWS: Record<string, string> = {rolling_day: '24H', day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY'}
const CHANNELS: Record<string, string> = {cash: 'ATM', purchases: 'RETAIL', any: 'ALL'}

const plain = (id: unknown): string => String(id).replace(/^[a-z]+_/, '')
const cents = (value: unknown): number => Math.round(Number(value) * 100)

const card = (one: Json): Json => ({
  card_id: `crd_${one.id}`,
  customer_id: `cus_${one.customerId}`,
  account_id: `acc_${one.accountId}`,
  template: one.template,
  product: one.productCode,
  role: one.cardRole === 'MAIN' ? 'main' : 'additional',
  state: STATES[String(one.status)],
  state_since: `${one.statusDate}Z`,
  state_reason: one.reason,
  masked_pan: one.maskedCardNumber,
  reference: one.referenceNumber,
  ...(one.expiration
    ? {expires: `${(one.expiration as Json).year}-${String((one.expiration as Json).month).padStart(2, '0')}`}
    : {}),
  embossing: {
    first_name: (one.embossing as Json | null)?.firstName ?? null,
    last_name: (one.embossing as Json | null)?.lastName ?? null,
  },
  pin: {state: {D: 'generated', W: 'waiting', S: 'set'}[String(one.pinStatus)] ?? null},
})

const batch = (one: Json): Json => ({
  batch_id: String(one.id),
  state: BATCHES[String(one.status)],
  started: `${one.startTime}Z`,
  ...(one.completionTime ? {ended: `${one.completionTime}Z`} : {}),
  size: one.transferItemCount,
  ...(one.successfulTransferItems === undefined
    ? {}
    : {succeeded: one.successfulTransferItems, failed: one.failedTransferItems}),
  memo: one.description,
  total_minor: Object.fromEntries(
    Object.entries(one.totalAmount as Json).map(([code, amount]) => [code, cents(amount)]),
  ),
})

/** The service, and what a test may change about it. */
export async function openHarbour() {
  const sandbox = await createSandbox({idempotency: 'all'})
  const bent = {
    answer: undefined as ((method: string, path: string) => ReturnType<typeof reply> | undefined) | undefined,
  }
  const versions = new Map<string, number>()
  const data = (status: number, value: unknown) => reply(status, {data: value})
  const error = (status: number, code: string, message: string) => reply(status, {error: {code, message}})
  const ask = async (method: string, url: string, body?: unknown, key?: string) => {
    const separator = url.includes('?') ? '&' : '?'
    const answered = await sandbox.handle({
      method,
      url: `${url}${separator}auditUser=harbour`,
      headers: {'content-type': 'application/json', ...(key === undefined ? {} : {'x-idempotency-key': key})},
      ...(body === undefined ? {} : {body: Buffer.from(JSON.stringify(body))}),
    })
    const text = Buffer.from(answered.body).toString()
    return {status: answered.status, value: text === '' ? undefined : JSON.parse(text)}
  }
  type Asked = Awaited<ReturnType<typeof ask>>
  const told = ({status, value}: Asked, map: (value: never) => unknown, of = status) =>
    status < 300
      ? data(of, map(value as never))
      : error(status, `harbour_${status}`, String((value as Json | undefined)?.detail ?? 'refused'))
  const segments = (url: URL) => url.pathname.split('/').slice(1).map(decodeURIComponent)
  const service = await openService(async ({method, url, headers, body: bytes}) => {
    const {pathname, searchParams} = new URL(url, 'http://localhost')
    const bend = bent.answer?.(method, pathname)
    if (bend) return bend
    const [root, id = '', more] = segments(new URL(url, 'http://localhost'))
    const text = Buffer.from(bytes ?? []).toString()
    const body: Json = text === '' ? {} : JSON.parse(text)
    const key = headers?.['idempotency-key']
    const route = `${method} /${root}${id === '' ? '' : '/:id'}${more === undefined ? '' : `/${more}`}`
    switch (route) {
      case 'GET /cards/:id':
        return told(await ask('GET', `/v4/${plain(id)}`), card)
      case 'GET /card_references/:id':
        return told(await ask('GET', `/v4/reference/${id}`), card)
      case 'GET /cards': {
        const limit = Number(searchParams.get('limit') ?? 30)
        const page = Number(searchParams.get('offset') ?? 0) / limit
        const customer = searchParams.get('customer_id')
        const of =
          customer === null
            ? `account/${plain(searchParams.get('account_id'))}`
            : `customer/${plain(customer)}`
        return told(await ask('GET', `/v4/${of}?page=${page}&size=${limit}`), (all: Json[]) => all.map(card))
      }
      case 'GET /cards/:id/plastics':
        return told(await ask('GET', `/v3/${plain(id)}/plastic`), (all: Json[]) =>
          all.map(one => ({
            plastic_id: one.id,
            card_id: `crd_${one.cardId}`,
            number: one.sequenceNumber,
            state: String(one.status).toLowerCase(),
          })),
        )
      case 'POST /plastics/:id/pin_sessions': {
        const scope = body.purpose === 'change' ? 'SET_PIN' : 'VIEW_PIN'
        return told(await ask('POST', `/v2/plastic/${id}`, {scope}), (made: Json) => ({session_id: made.id}))
      }
      case 'POST /pin_sessions/:id/transport_key':
        return told(
          await ask('POST', '/v3/set/tzpk', {controlId: id, publicKey: body.device_key}),
          (made: Json) => ({
            transport_key: made.tzpk,
          }),
        )
      case 'POST /pin_sessions/:id/pin':
        return told(
          await ask('POST', '/v3/view', {controlId: id, publicKey: body.device_key}),
          (made: Json) => ({
            transport_key: made.tzpk,
            pin_block: made.pinBlock,
          }),
        )
      case 'PUT /pin_sessions/:id/pin':
        return told(await ask('POST', '/v3/set', {controlId: id, pinBlock: body.pin_block}), () => ({}))
      case 'PATCH /accounts/:id': {
        const creditLimit =
          body.credit_limit_minor === undefined ? undefined : Number(body.credit_limit_minor) / 100
        return told(
          await ask('PATCH', `/v4/CREDIT/${plain(id)}`, {name: body.title, creditLimit}, key),
          () => ({account_id: id, note: 'Account changed'}),
        )
      }
      case 'GET /accounts/:id':
        return data(200, {account_id: id, version: versions.get(id) ?? 1})
      case 'POST /accounts/:id/state':
        return told(
          await ask(
            'PATCH',
            `/v4/CREDIT/${plain(id)}`,
            {status: ACCOUNTS[String(body.state)], reason: body.reason},
            key,
          ),
          () => ({account_id: id, note: 'State changed'}),
        )
      case 'PUT /accounts/:id/limits': {
        if (body.if_version !== (versions.get(id) ?? 1))
          return error(412, 'stale', 'The account has changed.')
        const limits = body.limits as {window: string; by_channel: Json[]}[]
        const usageLimits = limits.map(({window, by_channel}) => ({
          code: WINDOWS[window],
          values: by_channel.map(one => ({
            code: CHANNELS[String(one.channel)],
            ...(one.total_minor === undefined ? {} : {sumAmount: Number(one.total_minor) / 100}),
            ...(one.single_minor === undefined ? {} : {singleAmount: Number(one.single_minor) / 100}),
            ...(one.count === undefined ? {} : {count: one.count}),
          })),
        }))
        versions.set(id, (versions.get(id) ?? 1) + 1)
        return told(await ask('PATCH', `/v4/CREDIT/${plain(id)}`, {usageLimits}, key), () => ({
          account_id: id,
          note: 'Limits changed',
        }))
      }
      case 'POST /transfer_batches': {
        const lines = body.lines as Json[]
        const transfers = lines.map(line => ({
          fromAccountId: plain(line.debit_account),
          toAccountId: plain(line.credit_account),
          amount: Number(line.amount_minor) / 100,
          currency: line.currency,
          ...(line.text === undefined ? {} : {text: line.text}),
        }))
        return told(
          await ask('POST', '/v1/a2a/batches', {description: body.memo, transfers}, key),
          batch,
          201,
        )
      }
      case 'GET /transfer_batches': {
        const {status, value} = await ask('GET', `/v1/a2a/batches?size=${searchParams.get('limit') ?? 25}`)
        return status < 300
          ? reply(200, {data: (value.items as Json[]).map(batch), size: value.size})
          : error(status, 'refused', 'refused')
      }
      case 'GET /transfer_batches/:id':
        if (searchParams.get('include') !== 'lines')
          return told(await ask('GET', `/v1/a2a/batches/${id}/status`), batch)
        return told(
          await ask('GET', `/v1/a2a/batches/${id}`),
          (one: Json & {transfers: {items: Json[]; size: number}}) => ({
            ...batch(one),
            lines: {
              size: one.transfers.size,
              items: one.transfers.items.map(item => ({
                transfer_id: item.id,
                state: String(BATCHES[String(item.status)]),
                debit_account: `acc_${item.fromId}`,
                credit_account: `acc_${item.toId}`,
                amount_minor: cents(item.amount),
                currency: item.currency,
              })),
            },
          }),
        )
      default:
        return error(404, 'no_such_path', `${method} ${pathname}`)
    }
  })
  return {
    ...service,
    bent,
    state: async (kind: string, id: string): Promise<Json> => {
      const {body} = await sandbox.handle({method: 'GET', url: `/_sandbox/state/${kind}/${id}`})
      return JSON.parse(Buffer.from(body).toString())
    },
    /** The requests that change something: `POST /transfer_batches`. */
    writes: () =>
      service.requests
        .filter(({method}) => method !== 'GET')
        .map(({method, url}) => `${method} ${url.split('?')[0]}`),
    close: async () => {
      await service.close()
      await sandbox.close()
    },
  }
}
