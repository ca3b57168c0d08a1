import {plainWord} from '../contract/marked-values.ts'
import {KEY_HEADER} from '../contract/operation.ts'
import {isObject} from '../errors/is-object.ts'
import {findExponent} from '../money/exponents.ts'
import {isHeaderName, isOwnHeader} from '../network/header-names.ts'
import {checkHost} from './addresses.ts'
import type {ProfileKind} from './settings.ts'
import type {Checked, Raw, Reading} from './value-types.ts'

/** Names that say what logged in, not who. The log of a live service must name a person. */
const impersonal = new Set(
  (
    'admin administrator anonymous app application automation bot build builder card cardctl ci circleci cron ' +
    'daemon default demo deploy deployer deployment dev developer devops docker ec2-user github gitlab guest ' +
    'jenkins job live me nobody node none nologin null operator ops pipeline postgres prod production robot root ' +
    'runner sandbox script server service shared somebody someone staging su sudo superuser support svc sys ' +
    'sysadmin system team teamcity temp test tester tmp travis ubuntu undefined unknown user username vagrant web ' +
    'webmaster www www-data'
  ).split(' '),
)

/** Forms such as ci-prod, gitlab-runner, svc_cards, deploy-bot, uid-1000. */
const impersonalForms = [
  /^(ci|svc|srv|service|bot|app|job|sys|uid|runner|system|robot)[-_.\d]/,
  /[-_.](ci|bot|runner|svc|service|agent|robot|job|admin|system)\d*$/,
]

/** Words for work that nobody does by hand; alone or together they name a job: nightly, card-sync, report2. */
const jobWords = new Set(
  (
    'batch backup cards cleanup cronjob daemon daily etl export exporter hourly import importer jobs loader monitor ' +
    'monthly night nightly process reconcile reconciliation report reporting reports scheduled scheduler sync task ' +
    'tasks transfer transfers weekly worker workers'
  ).split(' '),
)

/**
 * What is wrong with an audit user. On a live profile it must name a person, or the machine that the profile declares.
 *
 * @param machine the declared machine.
 */
export function auditUserProblem(name: string, kind: ProfileKind, machine?: unknown): string | undefined {
  if (name.trim() === '') return 'is empty'
  if (name.length > 100) return 'has more than 100 characters'
  if (/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Cs}/u.test(name)) return 'holds control characters'
  if (kind === 'live' && name !== machine && !isPersonal(name))
    return 'must name a person on a live profile, or the machine that the profile declares'
  return undefined
}

/**
 * Whether a name can be that of a person. Ignores the domain or host of an account: `CORP\root`, `root@host.example`,
 * `Root`.
 */
function isPersonal(name: string): boolean {
  const account = name
    .trim()
    .toLowerCase()
    .replace(/^.*[\\/]/, '')
    .replace(/@.*$/, '')
    .trim()
  if (!/\p{L}/u.test(account) || /^[a-z]$/.test(account)) return false
  const words = account.split(/[^\p{L}]+/u).filter(word => word !== '')
  if (impersonal.has(account) || words.every(word => impersonal.has(word) || jobWords.has(word))) return false
  return !impersonalForms.some(form => form.test(account))
}

const isPrefix = (text: string): boolean =>
  /^(\/[A-Za-z0-9._~-]+)*$/.test(text) && !/\/\.\.?(\/|$)/.test(text)

/** Checks the prefix between a base URL and the path of an operation. */
export function checkPrefix(text: string): Checked {
  if (isPrefix(text)) return {value: text}
  const corrected = `/${text.replace(/^\/+|\/+$/g, '')}`
  return {
    problem: 'must be empty, or segments that each begin with /',
    suggestion: isPrefix(corrected) ? corrected : undefined,
  }
}

/**
 * The neutral words of the contract, which stand for a service's own path segments and field names. A test compares
 * this list with the contract.
 */
export const neutralWords = [
  'walleta',
  'walletb',
  'walletc',
  'remotecheckout',
  'NETWORK_A',
  'opaquePaymentCard',
  'opaquePaymentCardRequested',
  'cardDataUrl',
  'cardNumber',
  'clientAppID',
  'clientDeviceID',
  'clientWalletAccountID',
  'customerBID',
  'digitizationData',
  'encryptedData',
  'pinBlock',
] as const

/**
 * Reports neutral words that share one service word: responses could not be mapped back, and the path of one wallet
 * would be that of another.
 */
export function checkOwnWords(words: Raw, at: Reading): void {
  const owners = new Map<unknown, string>()
  for (const neutral of neutralWords) {
    const isMapped = Object.hasOwn(words, neutral)
    const own = isMapped ? words[neutral] : neutral
    const other = owners.get(own)
    if (other !== undefined) {
      const [mapped, partner] = isMapped ? [neutral, other] : [other, neutral]
      at.inside(mapped).report(`means the same as ${partner}: each needs its own word`)
    }
    owners.set(own, neutral)
  }
}

/** What a second person must approve: a kind of request, or transfers of more than an amount. */
export function checkSecondPerson(text: string): Checked {
  if (!/^(destroyed|irreversible|[A-Z]{3}:\d+(\.\d+)?)$/.test(text))
    return {problem: 'must be destroyed, irreversible, or a currency with an amount such as EUR:10000'}
  return checkThousands(text)
}

/** The highest amount in a currency, or in all others. */
export function checkCeiling(text: string): Checked {
  const [, currency] = /^(?:([A-Za-z]{3}):)?\d{1,15}(?:\.\d+)?$/.exec(text) ?? [undefined, '']
  if (currency === '')
    return {problem: 'must be an amount, or a currency with an amount, such as 50000 or EUR:50000'}
  // A ceiling in a currency that no amount has would hold nothing back.
  if (currency !== undefined && findExponent(currency.toUpperCase()) === undefined)
    return {problem: `names ${currency}, which is not a currency code of ISO 4217`}
  return checkThousands(text.toUpperCase())
}

/** As in amounts that people type: a point before three digits may be meant in thousands. */
function checkThousands(text: string): Checked {
  if (!/(^|:)[1-9]\d{0,2}\.\d{3}$/.test(text)) return {value: text}
  return {
    problem: 'has a point before three digits, so it may be meant in thousands',
    suggestion: text.replace('.', ''),
  }
}

/** Checks the header of idempotency keys: none that a request needs for something else. */
export function checkKeyHeader(name: string, entry: Raw): Checked {
  const problem = takenProblem(name, entry)
  return problem === undefined ? {value: name} : {problem}
}

function takenProblem(name: string, {auth}: Raw): string | undefined {
  if (!isHeaderName(name)) return 'is not the name of a header'
  const lower = name.toLowerCase()
  if (isOwnHeader(lower) || FOR_OTHERS.test(lower))
    return `may not be ${name}, which is set by the tool itself, or belongs to the connection`
  const credential = isObject(auth) && auth.type === 'header' ? auth.name : undefined
  return typeof credential === 'string' && credential.toLowerCase() === lower
    ? `may not be ${name}, which carries the credential`
    : undefined
}

/** What is wrong with the name of a header of the profile's own: another part of requests needs it, or it may redirect them. */
export function headerProblem(name: string, entry: Raw): string | undefined {
  const problem = /^accept-(?:language|version)$/i.test(name) ? undefined : takenProblem(name, entry)
  if (problem !== undefined) return problem
  const {idempotencyHeader: key} = entry
  const plain = plainWord(name)
  const keys = [KEY_HEADER, 'idempotency-key', ...(typeof key === 'string' ? [key] : [])].map(plainWord)
  if (keys.includes(plain)) return 'carries idempotency keys'
  return /^X?(?:HTTP|ORIGINAL|REWRITE|FORWARDED)/.test(plain) ? 'may lead requests elsewhere' : undefined
}

/** Headers that carry credentials, or that proxies, caches and traces read. */
const FOR_OTHERS =
  /^(?:authorization|cookie2|set-cookie2?|date|via|forwarded|cache-control|pragma|range|origin|referer|traceparent|tracestate|(?:accept|content|if|proxy|sec|x-forwarded)-.*)$/

/** Brings a host into its normal form. */
export function checkHostName(text: string): Checked {
  const host = checkHost(text)
  return host === undefined ? {problem: 'must be a host or host:port, without scheme or path'} : {value: host}
}

/** Checks that a client certificate has its key, and a key its certificate. */
export function checkCertificatePair(tls: Raw, at: Reading): void {
  const [cert, key] = [Object.hasOwn(tls, 'cert'), Object.hasOwn(tls, 'key')]
  if (cert === key) return
  at.inside(cert ? 'key' : 'cert').report('is missing: a client certificate and its key go together')
}
