import {checkAnswer, describeAnswerFault, ignoredFields, parseAnswer} from '../../contract/auth-answer.ts'
import {checkWebhookCall, type Violation} from '../../contract/validate.ts'
import {type CallAuth, type CallCredentials, credentialHeaders} from '../../network/call-credentials.ts'
import type {CallSignature} from '../../network/call-signature.ts'
import type {SignatureForm} from '../../network/signature-defaults.ts'
import type {Secret} from '../../sensitive/secret.ts'
import {checkAnswerTo} from '../check-answer.ts'
import type {AuthAnswer} from '../decide.ts'
import {
  type Drop,
  type Endpoint,
  type EndpointAnswer,
  EndpointFault,
  type EndpointOptions,
  openEndpoint,
  type Transport,
} from '../endpoint.ts'
import type {ReceivedCall} from '../received-call.ts'
import {codeNumber, type Outcome, outcomeOf} from '../response-codes.ts'
import {canSend, countedViolations, type Translator, warmUpOf} from '../translator.ts'
import {
  canForge,
  type ForgedCertificate,
  type Forgery,
  forge,
  type Proof,
  shortened,
} from './forge-credentials.ts'

/**
 * The outcome of a call. `ready`: a warm-up was accepted. `invalid`: an answer that doesn't match the contract or is
 * incomplete. `late`: none within the deadline. `unreachable`: no connection.
 */
export interface Verdict {
  readonly outcome: Outcome | 'ready' | 'invalid' | 'late' | 'unreachable'
  /** The HTTP status; absent without an answer. */
  readonly status?: number
  /** Parsed; text if it is not JSON. Unmasked: mask it before you show or keep it. */
  readonly reply?: unknown
  /** The response code of a decision, as two digits if its name is known. */
  readonly code?: string
  /** The approved amount of a partial approval. */
  readonly part?: {readonly amount: number; readonly currency: string}
  /** From sending to the end of the answer, in ms to a tenth. */
  readonly durationMs: number
  /** Why there is no decision, as a sentence without a full stop. Quotes nothing of the answer. */
  readonly reason?: string
  /** Where the answer differs from the contract. */
  readonly violations: readonly Violation[]
  /** Fields that the contract doesn't know; the service ignores them. */
  readonly unknown?: readonly Violation[]
}

type Judged = Omit<Verdict, 'durationMs'>

/** What is shown of a verdict as it is. The reply must be masked first. */
export const shownVerdict = ({
  outcome,
  code,
  part,
  status,
  reason,
  unknown,
}: Verdict): Pick<Verdict, 'outcome' | 'code' | 'part' | 'status' | 'reason' | 'unknown'> => ({
  outcome,
  ...(code === undefined ? {} : {code}),
  ...(part && {part}),
  ...(status === undefined ? {} : {status}),
  ...(reason === undefined ? {} : {reason}),
  ...(unknown && {unknown}),
})

/**
 * Checks an answer to a call against the contract, and against the call as far as that matches the contract itself. A
 * decision in another form is read as ours first, with our status.
 *
 * @param theirs the call as it was sent, if not as ours.
 */
export async function judgeDecision(
  call: unknown,
  {status, body}: Pick<EndpointAnswer, 'status' | 'body'>,
  {translator, theirs}: {readonly translator?: Translator | undefined; readonly theirs?: unknown} = {},
): Promise<Judged> {
  const came = parseAnswer(body.toString('utf8'))
  if (!translator) return status === 200 ? judgeOurs(call, came) : refused(status, came)
  const read = translator.readAnswer({status, body: came}, theirs)
  if (read === 'no decision') return refused(status, came)
  if ('ours' in read) return judgeOurs(call, read.ours, translator)
  const {fault, pointer} = read
  return {...invalid(status, fault), reply: came, violations: [{pointer, message: fault}]}
}

async function judgeOurs(call: unknown, reply: unknown, translator?: Translator): Promise<Judged> {
  const status = 200
  const differs = countedViolations(await checkWebhookCall('webhook.auth', call), translator)
  const isKnown = differs.length === 0
  const violations = await (isKnown ? checkAnswerTo(call as ReceivedCall, reply) : checkAnswer(reply))
  const [first] = violations
  const slips = ignoredFields(reply)
  const unknown = slips.length === 0 ? {} : {unknown: slips}
  if (first) return {...invalid(status, describeAnswerFault(first, slips)), reply, violations, ...unknown}
  const {authResponseCode, partialApprovalAmount} = (reply as AuthAnswer).transactionData
  const outcome = outcomeOf(authResponseCode.code)
  const part = outcome === 'partial' ? partialApprovalAmount : undefined
  const code = codeNumber(authResponseCode.code)
  return {outcome, status, reply, code, ...(part && {part}), violations, ...unknown}
}

/** The answer to a warm-up has only a status. */
function judgeWarmUp({status, body}: EndpointAnswer): Judged {
  const reply = parseAnswer(body.toString('utf8'))
  return status === 200 ? {outcome: 'ready', status, reply, violations: []} : refused(status, reply)
}

/** Why there was no answer to check. */
function judgeFault(error: unknown, deadlineMs: number): Judged {
  if (!(error instanceof EndpointFault)) throw error
  const {reason: kind, message: reason} = error
  if (kind === 'aborted') {
    return {outcome: 'late', reason: `no answer within ${deadlineMs} ms`, violations: []}
  }
  const isInvalid = kind === 'cut' || kind === 'too-large' || kind === 'dropped'
  return isInvalid ? invalid(undefined, reason) : {outcome: 'unreachable', reason, violations: []}
}

const refused = (status: number, reply: unknown): Judged => ({
  ...invalid(
    status,
    REDIRECT.test(String(status)) ? `status ${status}; redirects are not followed` : `status ${status}`,
  ),
  reply,
})
const REDIRECT = /^3\d\d$/

const invalid = (status: number | undefined, reason: string): Judged => ({
  outcome: 'invalid',
  ...(status === undefined ? {} : {status}),
  reason,
  violations: [],
})

export interface CallerOptions extends EndpointOptions {
  /** Deadline of the endpoint's answer, including the connection, in ms. */
  readonly deadlineMs: number
  /** By which each call proves that it comes from the service. */
  readonly credentials?: CallCredentials | undefined
  /** How the service that it plays writes its calls and reads answers, if not as ours. */
  readonly translator?: Translator | undefined
  /** Makes a client certificate that an endpoint must refuse. Without it, none is forged. */
  readonly makeCertificate?: ((kind: ForgedCertificate) => ClientCertificate) | undefined
  /** Milliseconds since 1970. */
  now(): number
}

/** PEM. */
export interface ClientCertificate {
  readonly cert: string
  readonly key: Secret
}

/** How calls prove who sends them, without what is secret. */
export interface CredentialForms {
  readonly auth?: {readonly type: CallAuth['type']; readonly name?: string}
  readonly signature?: SignatureForm
  readonly hasCertificate: boolean
  readonly hasAuthorities: boolean
}

interface CallSettings {
  /** A shorter deadline, for a call that is sent after its time, in ms. */
  readonly withinMs?: number
  /** Abandons the call; its outcome is then `late`. */
  readonly signal?: AbortSignal | undefined
  /** Sent in place of the call's JSON: the answer is checked against the call all the same. */
  readonly bytes?: Buffer | undefined
  /** What is signed in place of the bytes that are sent. */
  readonly signed?: Buffer | undefined
  /** Makes the body this long, in bytes, by a member that nobody knows. */
  readonly padTo?: number | undefined
  /** Sends the body in pieces over this time, in ms. */
  readonly slowMs?: number | undefined
  /** Makes the credentials of the call such that the endpoint must refuse it. */
  readonly forgery?: Forgery | undefined
  /** How the request is written, if not as usual. */
  readonly transport?: Transport | undefined
  /** The last byte of its body is sent after this. */
  readonly lastByteAfter?: Promise<void> | undefined
  /** Drops the connection there; the outcome is then `invalid`. */
  readonly drop?: Drop | undefined
  /** For a reset: how long after the body it comes, in ms. */
  readonly resetAfterMs?: number | undefined
}

/** Calls an endpoint as the service does, and checks its answers. */
export interface Caller {
  readonly deadlineMs: number
  /** Whether the service that it plays sends warm-ups. */
  readonly warmsUp: boolean
  /** How calls prove who sends them. */
  readonly proofs: readonly Proof[]
  /** How their headers are written, without what is secret in them. */
  readonly forms: CredentialForms
  /** Whether calls have the credentials that a forgery changes. */
  canForge(forgery: Forgery): boolean
  /**
   * With a body of the contract by default. For a service without warm-ups it is a GET, which changes nothing and only
   * shows whether anybody answers.
   */
  warmUp(settings?: CallSettings, body?: unknown): Promise<Verdict>
  /** Whether the service that it plays can send a call. */
  canSend(call: unknown): boolean
  /**
   * Sends any body as a call. Never rejects for what the endpoint does.
   *
   * @throws Failure NOT_OFFERED, before anything is sent, for a call that the service that it plays can't send
   */
  authorise(call: unknown, settings?: CallSettings): Promise<Verdict>
  close(): void
}

export function openCaller({
  deadlineMs,
  now,
  credentials = {},
  makeCertificate,
  translator,
  ...options
}: CallerOptions): Caller {
  const {path, warmUp} = translator ?? {path: '/auth', warmUp: {path: '/warm-up', body: undefined}}
  const endpoint = openEndpoint(options)
  const hasCertificate = options.base.protocol === 'https:' && options.tls?.cert !== undefined

  /** For a call with a forged certificate: a connection of its own, which is closed after it. */
  function forgedEndpoint(kind: NonNullable<Forgery['certificate']>): Endpoint {
    const {cert: _, key: __, ...trust} = options.tls ?? {}
    const client = kind === 'missing' ? {} : makeCertificate?.(kind)
    return openEndpoint({...options, tls: {...trust, ...client}})
  }

  async function send(
    path: string,
    body: unknown,
    judge: (reply: EndpointAnswer) => Promise<Omit<Verdict, 'durationMs'>> | Omit<Verdict, 'durationMs'>,
    {
      withinMs = deadlineMs,
      signal,
      padTo,
      bytes = bytesOf(body, padTo),
      signed = bytes,
      slowMs,
      lastByteAfter,
      drop,
      resetAfterMs,
      transport,
      forgery,
      method,
    }: CallSettings & {readonly method?: 'GET'},
  ): Promise<Verdict> {
    const over = new AbortController()
    const end = () => over.abort()
    const timer = setTimeout(end, withinMs)
    const {certificate} = forgery ?? {}
    const called = certificate === undefined ? endpoint : forgedEndpoint(certificate)
    signal?.addEventListener('abort', end, {once: true})
    if (signal?.aborted) end()
    const began = performance.now()
    const took = () => Math.round((performance.now() - began) * 10) / 10
    try {
      const own = forge(credentials, forgery ?? {}, now())
      const reply = await called.post(path, bytes, over.signal, {
        slowMs,
        lastByteAfter,
        drop,
        resetAfterMs,
        transport,
        ...(method && {method}),
        credentials: shortened(
          credentialHeaders(own.credentials, signed, own.now),
          own.credentials,
          forgery?.signature,
        ),
      })
      const durationMs = took()
      return {...(await judge(reply)), durationMs}
    } catch (error) {
      const durationMs = took()
      return {...judgeFault(error, deadlineMs), durationMs}
    } finally {
      clearTimeout(timer)
      if (called !== endpoint) called.close()
      signal?.removeEventListener('abort', end)
    }
  }

  return {
    deadlineMs,
    proofs: [
      ...(credentials.auth ? [credentials.auth.type] : []),
      ...(credentials.signature ? (['signature'] as const) : []),
      ...(hasCertificate ? (['mtls'] as const) : []),
    ],
    forms: {
      ...(credentials.auth && {auth: formOf(credentials.auth)}),
      ...(credentials.signature && {signature: withoutKeys(credentials.signature)}),
      hasCertificate,
      hasAuthorities: options.tls?.ca !== undefined,
    },
    canForge: forgery =>
      canForge(credentials, forgery) &&
      (forgery.certificate === undefined ||
        (hasCertificate && (forgery.certificate === 'missing' || makeCertificate !== undefined))),
    warmsUp: warmUp !== undefined,
    canSend: call => canSend(call, translator),
    warmUp: (settings = {}, body = warmUp?.body ?? warmUpOf(now())) =>
      warmUp
        ? send(warmUp.path, body, judgeWarmUp, settings)
        : send(path, undefined, judgeWarmUp, {...settings, bytes: NO_BYTES, method: 'GET'}),
    authorise: async (call, settings = {}) => {
      const theirs = translator && settings.bytes === undefined ? translator.writeCall(call) : undefined
      return send(path, theirs ?? call, reply => judgeDecision(call, reply, {translator, theirs}), settings)
    },
    close: () => endpoint.close(),
  }
}

const formOf = (auth: CallAuth): NonNullable<CredentialForms['auth']> => ({
  type: auth.type,
  ...(auth.type === 'header' && {name: auth.name}),
})

const withoutKeys = ({keys: _, ...form}: CallSignature): SignatureForm => form

const NO_BYTES = Buffer.alloc(0)

function bytesOf(body: unknown, padTo: number | undefined): Buffer {
  if (padTo === undefined) return Buffer.from(JSON.stringify(body))
  const padded = (padding: string) => Buffer.from(JSON.stringify({...(body as object), padding}))
  return padded('x'.repeat(Math.max(0, padTo - padded('').length)))
}
