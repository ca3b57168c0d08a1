import type {Operation} from '../contract/operation.ts'
import {idIn} from '../contract/resource.ts'
import {type Advice, advice} from '../errors/advice.ts'
import {type Blame, wordsFor} from '../errors/blame.ts'
import {Failure, type FailureDetails} from '../errors/failure.ts'
import {codeOfSignal} from '../errors/interruption.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {maskSaid} from '../sensitive/mask-encoded.ts'
import {maskWithin} from '../sensitive/mask-text.ts'
import {redact} from '../sensitive/redact.ts'
import type {AttemptResult} from './attempt.ts'
import {HOLDS_ERROR} from './envelope.ts'
import {type ErrorShape, errorText} from './error-text.ts'
import {networkFault} from './network-fault.ts'
import type {ReadResponse} from './read-response.ts'
import type {ReceivedBody} from './response-body.ts'
import {retryAfter, type Verdict} from './retry-rules.ts'
import type {BuiltRequest} from './send-types.ts'

/** Everything that is known when a request is given up. */
export interface Ending {
  readonly built: BuiltRequest
  readonly result: AttemptResult
  readonly verdict: Verdict
  /** An earlier attempt may have had an effect. */
  readonly open: boolean
  /** A byte of some attempt may have left this machine. */
  readonly left: boolean
  readonly attempts: number
  /** Milliseconds since 1970. */
  readonly now: number
  /** Of the last response, under neutral names. */
  readonly body: ReceivedBody
  /** The `Location` of the last response, masked. */
  readonly location: string | undefined
  /** Where the profile says that errors have their parts. */
  readonly errorShape: ErrorShape | undefined
  /** When the client certificate of the profile expired, if it did: some servers then close the connection without a word. */
  readonly expired: Date | undefined
  /** The last response was a 2xx that proves nothing. */
  readonly unproven?: ReadResponse & {readonly proven: false}
}

function common(built: BuiltRequest, attempts: number): Partial<FailureDetails> {
  return {
    ...(built.key === undefined ? {} : {idempotencyKey: built.key}),
    ...(attempts > 1 ? {data: {attempts}} : {}),
  }
}

const times = (attempts: number): string => (attempts > 1 ? ` after ${attempts} attempts` : '')

/** Why a 2xx proves nothing, with what the service says about its error. */
const whyUnproven = ({why}: {readonly why: string}, words: string | undefined): string =>
  why === HOLDS_ERROR && words !== undefined ? `${why}: ${words}` : why

/** Longer ids and addresses are cut. */
const LONGEST_NAME = 200

/** What a response that proves nothing says about what was made. */
function named({location, built, unproven}: Ending): {words: string; data: Record<string, string>} {
  const id = idIn(unproven?.value, built.operation)
  const data = {
    ...(id === undefined ? {} : {id: maskWithin(maskSaid(id), LONGEST_NAME)}),
    ...(location === undefined ? {} : {location: maskWithin(maskSaid(location), LONGEST_NAME)}),
  }
  const words = [data.id === undefined ? [] : `id ${data.id}`, data.location ?? []].flat().join(' and ')
  return {words: words === '' ? '' : `. It names ${words}`, data}
}

/** The outcome of the last attempt, as the end of a sentence. */
function lastSeen(ending: Ending, words: string | undefined): string {
  const {result, unproven} = ending
  if (result.kind === 'answered' && unproven) {
    return `the response (${result.response.status}) proves nothing: ${whyUnproven(unproven, words)}`
  }
  if (result.kind === 'answered') {
    return `the last response was ${result.response.status}${words === undefined ? '' : `: ${words}`}`
  }
  const reason = reasonOf(ending, result.error)
  return result.status === undefined ? reason : `the response (${result.status}) was cut off: ${reason}`
}

/** Why the connection failed, as far as it is known. */
function reasonOf({expired}: Ending, error: Error): string {
  const {reason} = networkFault(error)
  const day = expired?.toISOString().slice(0, 10)
  return day === undefined ? reason : `${reason}. The client certificate of the profile expired on ${day}`
}

function unknownEffect(ending: Ending, words: string | undefined): Pick<FailureDetails, 'message' | 'hint'> {
  const {built, attempts} = ending
  const seen = `${lastSeen(ending, words)}${named(ending).words}`
  if (built.operation.effect === 'disclose') {
    return {
      message: `${built.title} was sent, but its effect is unknown${times(attempts)}; ${seen}`,
      hint: `${ending.unproven?.value === undefined ? 'No secret was received.' : 'The response is on stdout.'} Sending the request again may count as another disclosure.`,
    }
  }
  return {
    message: `${built.title} was sent, but its effect is unknown${times(attempts)}; ${seen}`,
    ...(built.keyed
      ? {
          hint: `You can send the same request again with --idempotency-key ${built.key}: it has its effect only once.`,
        }
      : {}),
  }
}

function unprovenHint(
  {isOther, value, likelyEnvelope}: ReadResponse & {readonly proven: false},
  {operation}: BuiltRequest,
): Pick<FailureDetails, 'hint'> {
  if (isOther) {
    return {
      hint: advice`A proxy or cache may have mixed up responses. If the service means something else by that field, set it in the profile: ${cardctl('profiles', 'edit', {value: 'NAME'}, '--answer-id', {value: `${operation.id}=none`})}`,
    }
  }
  if (likelyEnvelope !== undefined) return {hint: envelopeHint(likelyEnvelope)}
  return value === undefined
    ? {}
    : {hint: advice`Compare the service with the contract: ${cardctl('contract', 'check')}`}
}

/** What to do about responses whose content is not where the contract has it. */
export const envelopeHint = (envelope: string): Advice =>
  advice`If its content is in ${envelope}, say so in the profile: ${cardctl('profiles', 'edit', {value: 'NAME'}, '--envelope', {value: envelope})}`

function redirectTarget(location: string | undefined, origin: string): string {
  if (location === undefined || !URL.canParse(location, origin))
    return 'an address that the response does not name'
  const url = new URL(location, origin)
  return url.origin === origin ? 'another path of the same host' : url.host
}

function answered(
  status: number,
  ending: Ending,
  words: string | undefined,
): Pick<FailureDetails, 'message' | 'hint'> {
  const {built, result, attempts, unproven} = ending
  if (unproven) {
    return {
      message: `${built.title} got response ${status}, but the response can't be used: ${whyUnproven(unproven, words)}.`,
      ...unprovenHint(unproven, built),
    }
  }
  const said = words === undefined ? '.' : `: ${words}`
  if (status < 400) {
    const location = result.kind === 'answered' ? result.response.headers.location : undefined
    const to = redirectTarget(location, built.origin)
    return {
      message: `${built.title} was redirected to ${to} (${status}); cardctl does not follow redirects, to protect the credentials.`,
    }
  }
  switch (status) {
    case 401:
      return {message: `${built.title} was refused: the service does not accept the credentials (401)${said}`}
    case 403:
      return {message: `${built.title} is not permitted (403)${said}`}
    case 404:
    case 410:
      return {message: `${built.title} found nothing (${status})${said}`}
    case 425:
      return {message: `${built.title} was too early for the service${times(attempts)} (425)${said}`}
    case 429:
      return {message: `${built.title} reached the rate limit${times(attempts)} (429)${said}`}
    default:
      return status < 500
        ? {message: `${built.title} was refused (${status})${said}`}
        : {message: `${built.title} failed at the service${times(attempts)} (${status})${said}`}
  }
}

/**
 * The content of a response that proves nothing, to show and keep. An id or token that the operation exists for stays:
 * nobody could get it again. Other secrets are masked, because no command reveals them from this response.
 */
function safeResponse({sensitive, personal, ids, needs = []}: Operation, response: unknown): unknown {
  const masked = sensitive.reply.filter(pointer => !needs.includes(pointer))
  return redact(response, {
    sensitive: [...masked, ...(personal?.reply ?? [])],
    typed: ['/id', ...needs],
    plain: ids?.reply ?? [],
  })
}

/** What a read got of another resource is of no use to anyone. */
function keptReply({built: {operation}, unproven}: Ending): Pick<FailureDetails, 'reply'> {
  if (unproven?.value === undefined || (unproven.isOther && operation.effect === 'read')) return {}
  return {reply: safeResponse(operation, unproven.value)}
}

/** Who or what is to blame for the last attempt. What the service itself refuses has a code that says enough. */
function blameOf({result, body, unproven, expired}: Ending): Blame | undefined {
  if (result.kind === 'failed') {
    const {blame} = networkFault(result.error)
    if (blame === 'network' && expired !== undefined) return 'client certificate'
    return blame === 'network' && result.left ? 'lost response' : blame
  }
  const {status} = result.response
  if (status >= 500 || status === 425) return 'service'
  if (body.kind === 'html') return 'page'
  if (unproven) return unproven.why === HOLDS_ERROR ? 'error inside' : 'content'
  return status < 400 ? 'redirect' : undefined
}

/** What to do about it. Where an effect is unknown, what became of the request comes first. */
const hintOf = (blame: Blame | undefined): Pick<FailureDetails, 'hint'> =>
  blame === undefined ? {} : {hint: wordsFor(blame).hint}

/** Makes the failure that a request ends with. */
export function endingFailure(ending: Ending): Failure {
  const {built, result, verdict, attempts, open, left} = ending
  const {operation} = built
  const sensitive = [...operation.sensitive.reply, ...operation.sensitive.request]
  const {words, problem} = errorText(ending.body, sensitive, ending.errorShape)
  const status = result.kind === 'answered' ? result.response.status : result.status
  const waitMs = result.kind === 'answered' ? retryAfter(result.response.headers, ending.now) : undefined
  const blame = blameOf(ending)
  const details = {
    ...common(built, attempts),
    ...(status === undefined ? {} : {status}),
    ...(waitMs === undefined ? {} : {retryAfter: Math.ceil(waitMs / 1000)}),
    ...(problem === undefined ? {} : {problem}),
    blame,
    ...(ending.body.kind === 'html' ? {isPage: true as const} : {}),
    ...keptReply(ending),
  }
  if (verdict.leaves === 'unknown' || (open && !verdict.conclusive)) {
    const data = {...details.data, ...named(ending).data}
    return new Failure('EFFECT_UNKNOWN', {
      ...details,
      ...(Object.keys(data).length === 0 ? {} : {data}),
      ...unknownEffect(ending, words),
      effect: 'unknown',
      repeatable: built.keyed,
    })
  }
  if (result.kind === 'answered') {
    const {status: answer} = result.response
    return new Failure(verdict.code, {
      ...details,
      ...hintOf(blame),
      ...answered(answer, ending, words),
      effect: 'none',
    })
  }
  const reason = reasonOf(ending, result.error)
  const message = result.left
    ? `${built.title} got no complete response from ${built.host}${times(attempts)}: ${reason}.`
    : `No connection to ${built.host}${times(attempts)}: ${reason}.`
  const more = {...details, ...hintOf(blame)}
  if (left || operation.effect === 'read')
    return new Failure(verdict.code, {...more, message, effect: 'none'})
  return new Failure(verdict.code, {
    ...more,
    message: `${message} Nothing reached the service.`,
    effect: 'none',
    left,
  })
}

/** Makes the failure of a request whose caller stopped waiting. */
export function interrupted(built: BuiltRequest, reason: unknown, attempts: number, left: boolean): Failure {
  const open = left && built.operation.effect !== 'read'
  const details = {
    ...common(built, attempts),
    effect: open ? ('unknown' as const) : ('none' as const),
    ...(open ? {repeatable: built.keyed} : {}),
  }
  if (reason instanceof Failure) return reason.with(details)
  return new Failure(codeOfSignal(reason), {
    ...details,
    message: open
      ? `${built.title} was sent, but its effect is unknown: cardctl stopped waiting for the response.`
      : `${built.title} was stopped before it had an effect.`,
  })
}
