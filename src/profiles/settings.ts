import {GROUPS} from '../contract/operation.ts'
import type {Decimal} from '../money/decimal-sign.ts'
import {socketUrl} from '../network/check-url.ts'
import type {Secret} from '../sensitive/secret.ts'
import {type AuthFields, auth} from './auth-settings.ts'
import {baseUrl, type GroupAddress, groupMembers} from './group-settings.ts'
import {panKeyMembers, tlsMembers} from './key-settings.ts'
import {machineOfEntry, machineUserMembers} from './machine-user-settings.ts'
import type {SecretReference} from './reference.ts'
import {serviceSetting} from './service-settings.ts'
import {
  auditUserProblem,
  checkCeiling,
  checkCertificatePair,
  checkHostName,
  checkKeyHeader,
  checkOwnWords,
  checkSecondPerson,
  neutralWords,
} from './setting-checks.ts'
import {
  byName,
  byOperation,
  checkedText,
  type Fields,
  flag,
  list,
  number,
  object,
  oneOf,
  type Problem,
  path,
  type Raw,
  type Read,
  Reading,
  type Setting,
  secret,
  setting,
  text,
  type ValueType,
  yesNo,
} from './value-types.ts'
import {webhookSetting} from './webhook-settings.ts'

const kinds = ['sandbox', 'test', 'live'] as const

/** The kind of service that a profile leads to. `live` moves real money: everything but a read needs confirmation. */
export type ProfileKind = (typeof kinds)[number]

/** The kind of an entry. Without a valid one, the strictest rules apply. */
const kindOf = ({kind}: Raw): ProfileKind => kinds.find(one => one === kind) ?? 'live'

/** It and the base URL stand for each other. */
const socket: ValueType<string> = {
  ...path,
  read(value, at) {
    const found = path.read(value, at)
    if (found === undefined || at.entry.baseUrl === socketUrl(found)) return found
    return at.report(`needs the base URL that stands for it, ${socketUrl(found)}`)
  },
}

const rateMembers = {
  perSecond: setting(number('integer', 1, 10_000), {doc: 'requests a second that the service allows you'}),
  perMinute: setting(number('integer', 1, 600_000), {doc: 'requests a minute that the service allows you'}),
  share: setting(number('number', 0.001, 1), {
    doc: 'the part of that quota that a bulk run uses',
    flag: flag(
      'rate-share',
      'percent',
      'How much of the quota a bulk run uses (default 100%, on live profiles 20%).',
      '20%',
    ),
  }),
}

/**
 * Every setting of a profile: its type and check, its default, its flag of `profiles add` and `profiles edit`, its
 * environment variable, and its documentation. The only source for the reader, the JSON Schema, the flags and the table
 * in docs/commands/settings.md.
 */
export const settings = {
  kind: setting(oneOf(kinds), {
    required: true,
    guarded: {unless: 'live'},
    doc: 'what the profile leads to: see [Kinds](#kinds)',
    flag: flag('kind', 'choice', 'Kind of service. A live profile asks before every write.'),
  }),
  baseUrl: setting(baseUrl, {
    required: true,
    env: 'CARDCTL_BASE_URL',
    doc: '`https:`, or `http:` to this machine; no user, query or fragment',
    flag: flag('base-url', 'text', 'Base URL of the service, for example https://api.example.'),
  }),
  socket: setting(socket, {
    guarded: 'always',
    doc: 'the Unix socket by which a server of another user is reached ([Another user sends](gate.md)); it decides the base URL',
    flag: flag('socket', 'text', 'Unix socket of a server of another user, in place of a base URL.', 'PATH'),
  }),
  readOnly: setting(yesNo, {
    default: false,
    guarded: {unless: true},
    doc: 'refuse everything but reads',
    flag: flag('read-only', 'boolean', 'Refuse everything but reads.'),
  }),
  auditUser: setting(
    checkedText((name, entry) => {
      const problem = auditUserProblem(name, kindOf(entry), machineOfEntry(entry))
      return problem === undefined ? {value: name} : {problem}
    }),
    {
      env: 'CARDCTL_AUDIT_USER',
      doc: 'who acts, as the service logs it; on a `live` profile a person, or the `machineUser`',
      flag: flag(
        'profile-audit-user',
        'text',
        'Audit user that the service logs for requests of this profile.',
        undefined,
        ['audit-user'],
      ),
    },
  ),
  machineUser: setting(object(machineUserMembers), {
    guarded: 'always',
    doc: 'the machine that acts with this profile, such as a nightly job, and who is responsible for it',
  }),
  bid: setting(text(/^[\x21-\x7e]{1,100}$/, 'must be 1 to 100 printable characters'), {
    doc: "the issuer's `customerBID` for remote checkout",
    flag: flag('bid', 'text', "The issuer's customerBID for remote checkout."),
  }),
  auth: setting(auth, {
    default: {type: 'none'},
    env: 'CARDCTL_TOKEN',
    doc: 'how requests are authenticated',
  }),
  groups: setting(byName(GROUPS, object(groupMembers), 'a group of operations'), {
    default: {},
    doc: `addresses and prefixes of single groups of operations: ${names(GROUPS.filter(group => group !== 'sandbox'))}`,
  }),
  words: setting(
    byName(
      neutralWords,
      text(
        /^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$/,
        'must be one word of letters, digits and . _ ~ - (at most 64)',
      ),
      'a neutral word of the contract',
      checkOwnWords,
    ),
    {
      default: {},
      guarded: 'if live',
      doc: `the service's own word for a neutral one: ${names(neutralWords)}; no two may become the same. \`contract map\` reads them from an [OpenAPI document](imported-contracts.md#names-of-the-service)`,
      flag: flag('word', 'pairs', "The service's own word for a neutral one. Repeatable.", 'walleta=WORD'),
    },
  ),
  answerIds: setting(
    byOperation(text(/^(?:none|(?:\/[^/]+)+)$/, 'must be a JSON pointer such as /id or /*/cardId, or none')),
    {
      guarded: 'always',
      doc: 'where a response names the resource that was asked for, by operation: a JSON pointer such as `/id`, `*` for every item of a list, or `none`; by default as `contract show` says. A response that names another resource [belongs to another request](output.md#responses-for-another-resource)',
      flag: flag(
        'answer-id',
        'pairs',
        'Field in which responses to an operation name the resource that was asked for. Repeatable.',
        'cards.get.v4=/id|none',
      ),
    },
  ),
  service: serviceSetting,
  tls: setting(object(tlsMembers, checkCertificatePair), {
    default: {},
    doc: 'certificates beyond those of the system',
  }),
  webhook: webhookSetting,
  idempotency: setting(oneOf(['documented', 'all']), {
    default: 'documented',
    guarded: {unless: 'documented'},
    doc: 'which writes honour an idempotency key: those that the service documents, or `all`. See [Idempotency](idempotency.md)',
    flag: flag('idempotency', 'choice', 'Which writes the service honours idempotency keys for.'),
  }),
  idempotencyHeader: setting(checkedText(checkKeyHeader), {
    guarded: 'always',
    doc: 'the header that carries idempotency keys; `x-idempotency-key` by default, and for an imported contract the header that it describes',
    flag: flag(
      'idempotency-header',
      'text',
      'Header that carries idempotency keys (default x-idempotency-key, or as an imported contract says).',
      'NAME',
    ),
  }),
  decimal: setting(oneOf(['point', 'comma'] as const satisfies readonly Decimal[]), {
    doc: 'the sign that you write before decimals, for numbers such as `6.000` that can be read in two ways ([Numbers](output.md#numbers-that-people-type)); none by default: those are asked about or refused',
    flag: flag(
      'decimal',
      'choice',
      'Sign that you write before decimals, for numbers such as 6.000 or 6,000.',
    ),
  }),
  settleDelayMs: setting(number('integer', 0, 600_000), {
    default: 2000,
    doc: 'how long a request without a response may still be running at the service, in milliseconds',
    flag: flag(
      'settle-delay',
      'duration',
      'How long a request without a response may still be running at the service (default 2s).',
    ),
  }),
  allowInsecure: setting(yesNo, {
    default: false,
    guarded: {unless: false},
    doc: 'permit `http:` to hosts other than this machine',
    flag: flag('allow-insecure', 'boolean', 'Permit http: to hosts other than this machine.'),
  }),
  strict: setting(yesNo, {
    default: false,
    env: 'CARDCTL_STRICT',
    doc: 'exit with 8 if a response differs from the contract, like `--strict` ([Output](output.md#responses-that-differ-from-the-contract))',
    flag: flag(
      'strict',
      'boolean',
      'Exit with 8 if a response differs from the contract, like --strict on each command.',
    ),
  }),
  requireTicket: setting(yesNo, {
    default: false,
    guarded: {unless: true},
    doc: 'require `--ticket` for every write and disclosure',
    flag: flag('require-ticket', 'boolean', 'Require --ticket for every write and disclosure.'),
  }),
  serviceCheck: setting(yesNo, {
    default: true,
    guarded: {unless: true},
    doc: 'before transfers are sent, ask the service whether its batches of the last 7 days have sent them ([Transfers](idempotency.md#transfers))',
    flag: flag(
      'service-check',
      'boolean',
      'Ask the service before transfers are sent whether its batches have sent them. On by default.',
    ),
  }),
  secondPersonFor: setting(list(checkedText(checkSecondPerson)), {
    default: [],
    guarded: 'always',
    doc: 'what a second person must approve: `destroyed`, `irreversible`, and transfers of more than an amount, such as `EUR:10000` ([Four eyes](four-eyes.md))',
    flag: flag(
      'second-person-for',
      'list',
      'What a second person must approve: destroyed, irreversible, or transfers of more than an amount. Repeatable.',
      'destroyed|irreversible|EUR:10000',
    ),
  }),
  ceiling: setting(list(checkedText(checkCeiling)), {
    default: [],
    guarded: 'always',
    doc: 'the highest amount of a write that needs no person at a terminal, by currency, such as `EUR:50000`, or `50000` for all others ([Ceilings](#ceilings))',
    flag: flag(
      'ceiling',
      'list',
      'Highest amount that needs no person at a terminal. Repeatable.',
      'EUR:50000|50000',
    ),
  }),
  dialect: setting(path, {
    guarded: 'always',
    doc: 'the file that says how a service that was not made for cardctl carries out its operations ([Dialects](dialects.md))',
    flag: flag(
      'dialect',
      'text',
      'File that says how a service that was not made for cardctl carries out its operations.',
      'FILE',
    ),
  }),
  proposals: setting(path, {
    guarded: 'always',
    doc: 'the folder where proposals for a second person are kept',
    flag: flag('proposals', 'text', 'Folder where proposals for a second person are kept.', 'FOLDER'),
  }),
  hosts: setting(list(checkedText(checkHostName)), {
    default: [],
    doc: 'further hosts that may get the credentials',
    guarded: 'always',
    flag: flag('host', 'list', 'Another host that may get the credentials. Repeatable.'),
  }),
  panKey: setting(object(panKeyMembers), {
    guarded: 'always',
    doc: 'the public key of the service for card numbers',
  }),
  rate: setting(object(rateMembers), {
    // The rate limit that the service documents. On a live profile, a bulk job leaves most of it to other applications.
    default: entry => ({perSecond: 50, perMinute: 3000, share: kindOf(entry) === 'live' ? 0.2 : 1}),
    doc: 'the quota that the service gives you, and the part of it that a bulk run uses',
    flag: flag(
      'rate',
      'quota',
      'Your quota at the service, by second and minute. --unset rate restores the default.',
      '50/s,3000/min',
    ),
  }),
  teamStore: setting(secret, {
    doc: 'the `postgres://` URL of a database by which machines [share the rate and bulk jobs](fleet.md)',
    flag: flag(
      'team-store',
      'secret',
      'PostgreSQL database by which machines share the rate and bulk jobs.',
      'env:NAME|file:PATH|cmd:COMMAND',
    ),
  }),
  teamKey: setting(secret, {
    doc: 'the key that encrypts shared bulk jobs: 32 random bytes, as base64 or hex',
    flag: flag(
      'team-key',
      'secret',
      'Key that encrypts shared bulk jobs: 32 bytes, as base64 or hex.',
      'env:NAME|file:PATH|cmd:COMMAND',
    ),
  }),
  rateStore: setting(secret, {
    doc: 'another database for the rate alone, by the same kind of URL; the `teamStore` by default',
    flag: flag(
      'rate-store',
      'secret',
      'PostgreSQL database by which machines share the rate.',
      'env:NAME|file:PATH|cmd:COMMAND',
    ),
  }),
}

/** The entry of a profile in profiles.json. */
export const profileType = object(settings)

/** Problems of the service's words for neutral ones; each names its field, for example `words.walleta`. */
export function checkWords(words: Raw): readonly Problem[] {
  const at = new Reading({}, [], 'words')
  settings.words.type.read(words, at)
  return at.problems
}

function names(words: readonly string[]): string {
  return words.map(word => `\`${word}\``).join(', ')
}

/** The rate limit of the service, and the share of it that a bulk job uses: more than 0, at most 1. */
export type Rate = Required<Read<typeof rateMembers>>

/** A valid profile of profiles.json, with its defaults. */
export type StoredProfile = Omit<Read<typeof settings>, 'rate' | 'words'> & {
  readonly rate: Rate
  readonly words: Readonly<Record<string, string>>
}

/** A secret to store for a profile, or a reference to one: `env:NAME`, `file:PATH`, `cmd:COMMAND`. */
export type SecretInput = {readonly reference: string} | {readonly value: Secret}

type Given<T> = T extends SecretReference
  ? SecretInput
  : T extends readonly SecretReference[]
    ? readonly string[]
    : T extends readonly unknown[]
      ? T
      : T extends object
        ? {readonly [K in keyof T]?: Given<T[K]> | undefined}
        : T

/** The fields that the type needs. If the type changes, all of them start empty. */
export type AuthSettings = {
  readonly [K in keyof AuthFields]?: AuthFields[K] extends {readonly type: ValueType<infer T>}
    ? Given<T> | undefined
    : never
}

/** The settings that the user changes; absent ones stay. Objects are merged field by field. */
export type ProfileSettings = {
  readonly [K in Exclude<keyof StoredProfile, 'auth' | 'groups'>]?: Given<StoredProfile[K]> | undefined
} & {
  readonly auth?: AuthSettings | undefined
  readonly groups?: Readonly<Record<string, GroupAddress>> | undefined
}

/** A setting and its dotted name, for example `tls.ca`; in `groups.*.prefix`, `*` stands for any name. */
export interface NamedSetting {
  readonly name: string
  readonly setting: Setting
}

/** All settings. Each comes before the ones inside it. */
export const settingList: readonly NamedSetting[] = listed(settings, '')

function listed(members: Fields, before: string): readonly NamedSetting[] {
  return Object.entries(members).flatMap(([member, each]) => {
    const name = `${before}${member}`
    const {members: inner = {}, item} = each.type
    return [{name, setting: each}, ...listed(inner, `${name}.`), ...listed(item?.members ?? {}, `${name}.*.`)]
  })
}
