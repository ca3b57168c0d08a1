import {resolve} from 'node:path'
import * as Flags from '@oclif/core/flags'
import type {FlagInput} from '@oclif/core/interfaces'
import {durationFlag} from '../../../cli/flags.ts'
import {loadDialect} from '../../../dialect/index.ts'
import {Failure} from '../../../errors/failure.ts'
import {socketUrl} from '../../../network/check-url.ts'
import {
  type AuthType,
  type FlagForm,
  type NamedSetting,
  type ProfileSettings,
  parsePairs,
  parsePercent,
  parseQuota,
  pathOfPair,
  putAt,
  type SecretInput,
  type SettingFlag,
  secretFieldOf,
  settingList,
} from '../../../profiles/index.ts'
import {Secret} from '../../../sensitive/secret.ts'

type FlagValue = string | number | boolean | readonly string[]
type FlagValues = Readonly<Record<string, FlagValue | undefined>>

/** How to declare each form of flag, and how to turn its value into a setting. */
interface Form {
  declare(flag: SettingFlag, {setting}: NamedSetting): FlagInput[string]
  read(value: FlagValue, flag: string): unknown
}

const asGiven = (value: FlagValue): unknown => value
const repeatable = {multiple: true, multipleNonGreedy: true} as const
const textFlag: Form['declare'] = ({summary, helpValue, aliases}) =>
  Flags.string({summary, ...(helpValue && {helpValue}), aliases: [...aliases]})

const forms: Readonly<Record<FlagForm, Form>> = {
  text: {declare: textFlag, read: asGiven},
  secret: {declare: textFlag, read: reference => ({reference})},
  quota: {declare: textFlag, read: (text, flag) => parseQuota(String(text), flag)},
  percent: {declare: textFlag, read: (text, flag) => parsePercent(String(text), flag)},
  boolean: {declare: ({summary}) => Flags.boolean({allowNo: true, summary}), read: asGiven},
  choice: {
    declare: ({summary}, {setting}) =>
      Flags.option({options: setting.type.schema.enum as string[], summary})(),
    read: asGiven,
  },
  duration: {declare: ({summary}) => durationFlag({summary}), read: asGiven},
  list: {
    declare: ({summary, helpValue}) => Flags.string({...repeatable, ...(helpValue && {helpValue}), summary}),
    read: asGiven,
  },
  pairs: {
    declare: ({summary, helpValue}) => Flags.string({...repeatable, ...(helpValue && {helpValue}), summary}),
    read: (texts, flag) => parsePairs(texts as readonly string[], flag),
  },
}

const flagged = settingList.flatMap(named => {
  const {flag} = named.setting
  return flag === undefined ? [] : [{...named, flag}]
})

/** The flags for settings of `profiles add` and `profiles edit`. */
export const profileFlags: FlagInput = Object.fromEntries(
  flagged.map(({flag, ...named}) => [flag.name, forms[flag.form].declare(flag, named)]),
)

/** The settings from the flags, without the credential: see `withSecret`. */
export function toSettings(flags: FlagValues): ProfileSettings {
  const settings: Record<string, unknown> = {}
  for (const {name, flag} of flagged) {
    const given = flags[flag.name]
    if (given === undefined || flag.name === 'secret') continue
    const value = forms[flag.form].read(given, `--${flag.name}`)
    if (flag.form !== 'pairs') putAt(settings, name.split('.'), value)
    else for (const [key, text] of value as [string, string][]) putAt(settings, pathOfPair(name, key), text)
  }
  const {socket, baseUrl} = settings
  return typeof socket === 'string' && baseUrl === undefined
    ? {...settings, baseUrl: socketUrl(resolve(socket))}
    : settings
}

/** @throws Failure INPUT_INVALID for a dialect that can't be used: every later command would fail. */
export async function checkFiles({dialect}: ProfileSettings): Promise<void> {
  if (dialect) await loadDialect(dialect)
}

/** Returns the settings if they include everything that a terminal would ask for. @throws Failure USAGE */
export function needAddress(settings: ProfileSettings): ProfileSettings {
  const {kind, baseUrl} = settings
  const missing = [
    ...(kind === undefined ? ['--kind'] : []),
    ...(baseUrl === undefined ? ['--base-url'] : []),
  ]
  if (missing.length === 0) return settings
  throw new Failure('USAGE', {
    message: `${missing.join(' and ')} must be given where there is no terminal to ask on.`,
    hint: 'For example --kind test --base-url https://staging.example --auth bearer --secret env:TOKEN.',
  })
}

const secretNames: Readonly<Record<string, string>> = {
  password: 'Password',
  token: 'Token',
  value: 'Header value',
  clientSecret: 'Client secret',
}

/** Reads a credential that the user enters directly: from stdin or a prompt. */
export type ReadSecret = (what: string) => Promise<Secret<Buffer>>

/** A placeholder for a secret that is read later, so that the other settings can be checked first. */
export const noSecretYet: ReadSecret = async () => new Secret(Buffer.from('-'))

/**
 * The settings with the credential of `--secret`. Reads it if `--secret` is `-`, or if a new type of authentication
 * needs one.
 *
 * @param type how the profile authenticates, with these settings.
 */
export async function withSecret(
  given: ProfileSettings,
  type: AuthType | undefined,
  flags: FlagValues,
  readSecret: ReadSecret,
): Promise<ProfileSettings> {
  const settings = await withWebhookSecrets(given, readSecret)
  const reference = typeof flags.secret === 'string' ? flags.secret : undefined
  const member = type === undefined ? undefined : secretFieldOf(type)
  if (member === undefined) {
    if (reference === undefined) return settings
    throw new Failure('USAGE', {message: '--secret needs --auth basic, bearer, oauth2 or header.'})
  }
  const isNew = settings.auth?.type !== undefined
  if (reference === undefined && !isNew) return settings
  const secret = await secretInput(reference, secretNames[member] ?? member, readSecret)
  return {...settings, auth: {...settings.auth, [member]: secret}}
}

/** Reads the secrets of authorisation calls that are given as `-`. */
async function withWebhookSecrets(
  settings: ProfileSettings,
  readSecret: ReadSecret,
): Promise<ProfileSettings> {
  const {webhook} = settings
  if (!webhook) return settings
  const read = async (input: SecretInput | undefined, what: string) =>
    input && 'reference' in input ? secretInput(input.reference, what, readSecret) : input
  const {auth, signature} = webhook
  return {
    ...settings,
    webhook: {
      ...webhook,
      ...(auth && {auth: {...auth, secret: await read(auth.secret, 'Secret of authorisation calls')}}),
      ...(signature && {
        signature: {...signature, key: await read(signature.key, 'Key of authorisation calls')},
      }),
    },
  }
}

async function secretInput(
  given: string | undefined,
  what: string,
  readSecret: ReadSecret,
): Promise<SecretInput> {
  if (given !== undefined && given !== '-') return {reference: given}
  const bytes = await readSecret(what)
  const value = new Secret(bytes.open().toString('utf8'))
  bytes.wipe()
  return {value}
}
