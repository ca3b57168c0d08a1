import {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import {applySettings} from './apply-settings.ts'
import {authTypes, secretFieldOf} from './auth-settings.ts'
import {readProfile} from './read-profile.ts'
import type {Place} from './reference.ts'
import {parseMs, parsePairs, parsePercent, parseQuota, parseYesNo, pathOfPair, putAt} from './setting-text.ts'
import {type NamedSetting, type ProfileSettings, type StoredProfile, settingList} from './settings.ts'
import {type ProfileSurroundings, variable} from './surroundings.ts'
import type {FlagForm, Problem, Raw, Setting} from './value-types.ts'

type Env = ProfileSurroundings['env']

/** The variable of a setting: its own, or its flag of `profiles add` in capitals. Undefined if it has neither. */
export function variableOf({env, flag}: Pick<Setting, 'env' | 'flag'>): string | undefined {
  if (env !== undefined || flag === undefined) return env
  return `CARDCTL_${flag.name.replaceAll('-', '_').toUpperCase()}`
}

/** What these variables mean is decided where the profile is chosen. */
const DECIDED_ELSEWHERE = new Set(['baseUrl', 'auditUser', 'auth', 'strict'])

const variables: readonly (NamedSetting & {readonly variable: string; readonly form: FlagForm})[] =
  settingList.flatMap(named => {
    const name = variableOf(named.setting)
    const form = named.setting.flag?.form
    return name === undefined || form === undefined || DECIDED_ELSEWHERE.has(named.name)
      ? []
      : [{...named, variable: name, form}]
  })

/** The settings that the environment gives. */
export interface EnvironmentSettings {
  /** The settings and those inside them, by dotted name, each with its variable. */
  readonly variables: ReadonlyMap<string, string>
  readonly set: ProfileSettings
}

/** @throws Failure INPUT_INVALID for a value that its variable can't have */
export function environmentSettings(env: Env): EnvironmentSettings {
  const set: Record<string, unknown> = {}
  const given = new Map<string, string>()
  for (const {name, variable: variableName, form} of variables) {
    const text = variable(env, variableName)
    if (text === undefined) continue
    const path = form === 'secret' && name.startsWith('auth.') ? secretPath(env, name) : name
    if (path === undefined) continue
    const value = settingValue(form, text, variableName)
    if (form === 'pairs') {
      for (const [key, each] of value as [string, string][]) {
        const inner = pathOfPair(path, key)
        putAt(set, inner, each)
        given.set(inner.join('.'), variableName)
      }
    } else {
      putAt(set, path.split('.'), value)
      given.set(path, variableName)
    }
  }
  return {set: set as ProfileSettings, variables: given}
}

/** Every type of authentication has its own field for the credential, and all have the variable CARDCTL_SECRET. */
function secretPath(env: Env, name: string): string | undefined {
  const given = variable(env, 'CARDCTL_AUTH')
  const type = authTypes.find(one => one === given)
  // Another word is reported when the profile is read.
  if (type === undefined && given !== undefined) return undefined
  const field = type && secretFieldOf(type)
  if (field !== undefined) return name === `auth.${field}` ? name : undefined
  throw new Failure('INPUT_INVALID', {
    message: 'CARDCTL_SECRET needs CARDCTL_AUTH: basic, bearer, oauth2 or header.',
    effect: 'none',
  })
}

function settingValue(form: FlagForm, text: string, name: string): unknown {
  const items = () => text.split(',').map(item => item.trim())
  switch (form) {
    case 'boolean':
      return parseYesNo(text, name)
    case 'duration':
      return parseMs(text, name)
    case 'list':
      return items()
    case 'pairs':
      return parsePairs(items(), name)
    case 'percent':
      return parsePercent(text, name)
    case 'quota':
      return parseQuota(text, name)
    case 'secret':
      return {reference: text}
    case 'text':
    case 'choice':
      return text
  }
}

/**
 * The profile of an entry with the settings of the environment.
 *
 * @throws Failure INPUT_INVALID, which names the variable
 */
export function withEnvironment(
  entry: Raw,
  {set, variables: given}: EnvironmentSettings,
  place: Place,
): {readonly raw: Raw; readonly profile: StoredProfile} {
  const {auth: _, ...others} = entry
  const raw = merged(set.auth === undefined ? entry : others, set, place)
  const read = readProfile(raw)
  if ('profile' in read) return {raw, profile: read.profile}
  throw new Failure('INPUT_INVALID', {
    message: read.problems.map(problem => problemText(problem, given)).join(' '),
    hint: 'Correct the environment variables. docs/commands/settings.md lists them.',
    effect: 'none',
  })
}

function merged(entry: Raw, set: ProfileSettings, place: Place): Raw {
  try {
    return applySettings(entry, set, place, () => ({source: 'env', locator: 'none'})).raw
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'SENSITIVE_IN_ARGV') throw error
    throw new Failure('INPUT_INVALID', {
      message: `A variable holds a secret where it must say where the secret is. ${error.message}`,
      hint: 'For example: CARDCTL_SECRET=env:API_PASSWORD, or CARDCTL_CERT_KEY=file:/run/secrets/client.key',
      effect: 'none',
    })
  }
}

/** A field that is missing has no variable yet, so it is named by the one to set. */
function problemText({member, message, suggestion}: Problem, given: ReadonlyMap<string, string>): string {
  const setting = settingList.find(({name}) => name === member)?.setting
  const name = given.get(member) ?? (setting && variableOf(setting)) ?? member
  const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
  const missing = message.startsWith('is missing') ? 'is missing' : message
  return `${name} ${missing}.${hint}`
}

/**
 * Refuses variables that would loosen a stored profile, or send its credentials elsewhere.
 *
 * @param entry as stored.
 * @throws Failure INPUT_INVALID
 */
export function refuseLoosening(
  profile: string,
  entry: Raw,
  {variables: given, set}: EnvironmentSettings,
): void {
  for (const [name, variableName] of given) {
    const value = valueAt(set, name)
    const {guarded} = guardOf(name) ?? {}
    if (guarded === undefined || sameValue(value, valueAt(entry, name))) continue
    if (guarded === 'if live' ? entry.kind !== 'live' : guarded !== 'always' && guarded.unless === value)
      continue
    throw new Failure('INPUT_INVALID', {
      message: `${variableName} cannot change the stored profile ${profile}.`,
      hint: `Unset ${variableName}. What the profile permits is for the person to decide who looks after it.`,
      effect: 'none',
      ...(entry.kind === 'live' && {refuses: true}),
    })
  }
  if (set.auth !== undefined && set.auth.type === undefined) {
    throw new Failure('INPUT_INVALID', {
      message: `${[...given].find(([name]) => name.startsWith('auth.'))?.[1]} needs CARDCTL_AUTH, which replaces the credentials of the profile ${profile}.`,
      effect: 'none',
    })
  }
}

/** The setting, or the one that it is inside of, that must not be loosened. */
function guardOf(name: string): Setting | undefined {
  const path = name.replace(/^groups\.[^.]+\./, 'groups.*.')
  return settingList.find(
    each => each.setting.guarded !== undefined && (path === each.name || path.startsWith(`${each.name}.`)),
  )?.setting
}

/** A field's own name may have dots, as that of an operation. */
function valueAt(value: unknown, name: string): unknown {
  if (!isObject(value)) return undefined
  const dot = Object.hasOwn(value, name) ? -1 : name.indexOf('.')
  return dot === -1 ? value[name] : valueAt(value[name.slice(0, dot)], name.slice(dot + 1))
}

function sameValue(given: unknown, stored: unknown): boolean {
  const plain = isObject(given) && 'reference' in given ? given.reference : given
  return JSON.stringify(plain) === JSON.stringify(stored)
}

/** The settings of an entry that have a value, by dotted name. References are shown, never secrets. */
export function valuesOf(entry: Raw): readonly {readonly setting: string; readonly value: unknown}[] {
  const inside = (value: unknown, path: string): {setting: string; value: unknown}[] =>
    isObject(value)
      ? Object.entries(value).flatMap(([member, inner]) =>
          inside(inner, path === '' ? member : `${path}.${member}`),
        )
      : isSetting(path)
        ? [{setting: path, value}]
        : []
  return inside(entry, '')
}

/** Unknown fields may hold anything. */
function isSetting(path: string): boolean {
  const known = path
    .replace(/^groups\.[^.]+\./, 'groups.*.')
    .replace(/^(words|answerIds|service\.headers)\..+$/, '$1')
  return settingList.some(({name}) => name === known)
}
