import {type Dialect, loadDialect} from '../dialect/index.ts'
import type {Decimal} from '../money/decimal-sign.ts'
import type {Printer} from '../output/index.ts'
import {alarm, type Styled, strong} from '../output/styled.ts'
import {
  type Chosen,
  chosenStrictness,
  type Loosening,
  openProfiles,
  type ProfileChange,
  type ProfileSummary,
  type Profiles,
  type ProfileWebhook,
  type Service,
  serviceOf,
  type Target,
  type WhoAmI,
  whoami,
} from '../profiles/index.ts'
import type {GlobalFlags} from './context.ts'
import type {Surroundings} from './surroundings.ts'

/** Where something takes effect: at the service of a profile, or at a place without a profile. */
export type Place =
  | Pick<Target, 'name' | 'kind' | 'embedded' | 'baseUrl'>
  /** In words, such as a file of this machine. */
  | {readonly at: string}

/** `LIVE prod (api.example)`, `staging (test, api.example)`, `sandbox (embedded)`. A live one is highlighted. */
export function placeWords(place: Place): Styled {
  if ('at' in place) return strong(place.at)
  const {name, kind, embedded, baseUrl} = place
  if (embedded) return [strong(name), ' (embedded)']
  const host = URL.parse(baseUrl)?.host ?? baseUrl
  if (kind === 'live') return [alarm('LIVE'), strong(` ${name}`), ` (${host})`]
  return [strong(name), ` (${kind}, ${host})`]
}

export const placeText = (place: Place): string =>
  [placeWords(place)]
    .flat()
    .map(part => (typeof part === 'string' ? part : 'text' in part ? part.text : ''))
    .join('')

/** A stored profile. If it is unusable, only the name is certain. */
export function placeOfProfile(name: string, {kind, baseUrl}: Partial<ProfileSummary> = {}): Place {
  return kind === undefined || baseUrl === undefined
    ? {at: `Profile ${name}`}
    : {name, kind, baseUrl, embedded: false}
}

interface Chooser {
  readonly surroundings: Surroundings
  readonly flags: GlobalFlags
  /** The profiles that were named already. */
  readonly named: Set<string>
  readonly printer: Printer
  /** Whether stderr has nothing but one JSON object, if there is an error. */
  readonly printsData: boolean
  /** Asks whether a live profile may be loosened. @throws if not */
  readonly agree: (loosening: Loosening) => Promise<void>
  /** Runs a write to the stored profiles, and records what it changed. */
  readonly record: (write: () => Promise<readonly ProfileChange[]>) => Promise<void>
}

/** The profile that a command uses, and the service that its requests go to. Each part is read on first use. */
export class ChosenService {
  readonly #chooser: Chooser
  #profiles: Profiles | undefined
  #chosen: Promise<Chosen> | undefined
  #known: Chosen | undefined
  #target: Promise<Target> | undefined
  #identity: Promise<Service> | undefined
  #announced: Promise<void> | undefined

  constructor(chooser: Chooser) {
    this.#chooser = chooser
  }

  get profiles(): Profiles {
    const {surroundings, printer, agree, record} = this.#chooser
    this.#profiles ??= openProfiles({
      ...surroundings,
      notify: ({code, message}) => printer.warn(message, {code}),
      agree,
      record,
    })
    return this.#profiles
  }

  /**
   * Which profile is used, with which values. Reads only profiles.json. Shows the name of a live profile above all
   * tables.
   */
  chosen(): Promise<Chosen> {
    const {flags, printer} = this.#chooser
    const {profile, 'audit-user': auditUser, bid} = flags
    this.#chosen ??= this.profiles.choose({profile, auditUser, bid}).then(chosen => {
      this.#known = chosen
      if (chosen.profile.kind === 'live') printer.markLive(chosen.name)
      return chosen
    })
    return this.#chosen
  }

  /** What `chosen` gave; undefined until it was asked. */
  get known(): Chosen | undefined {
    return this.#known
  }

  /** The profile in use, its values, and where each comes from. Reads no secret. */
  async whoami(): Promise<WhoAmI> {
    return whoami(await this.chosen())
  }

  /** The service that requests go to, with its secrets. */
  target(): Promise<Target> {
    this.#target ??= this.chosen().then(async chosen => {
      const {dialect} = chosen.profile
      const target = await this.profiles.target(chosen)
      return dialect === undefined ? target : {...target, dialect: await loadDialect(dialect)}
    })
    return this.#target
  }

  /** What tells the service from others, for its journal. */
  identity(): Promise<Service> {
    this.#identity ??= this.chosen().then(serviceOf)
    return this.#identity
  }

  /** The profile as questions name it. Reads only profiles.json. */
  async place(): Promise<Place> {
    const {name, embedded, profile} = await this.chosen()
    return {name, embedded, kind: profile.kind, baseUrl: profile.baseUrl}
  }

  /** How the user of the chosen profile writes decimals, if it says so. Needs no audit user. */
  async usualDecimal(): Promise<Decimal | undefined> {
    return (await this.profiles.stored({profile: this.#chooser.flags.profile})).decimal
  }

  /** The file with the dialect of the chosen profile. Needs no audit user. */
  async dialectFile(): Promise<string | undefined> {
    return (await this.profiles.stored({profile: this.#chooser.flags.profile})).dialect
  }

  /** The same, read. @throws Failure if the file can't be used */
  async dialect(): Promise<Dialect | undefined> {
    const file = await this.dialectFile()
    return file === undefined ? undefined : loadDialect(file)
  }

  /**
   * How authorisation calls are authenticated, as the chosen profile says; undefined if it doesn't. Needs no audit user.
   *
   * @throws Failure SECRET_MISSING, PROFILE_INVALID, PROFILE_NOT_FOUND
   */
  webhook(): Promise<ProfileWebhook | undefined> {
    return this.profiles.webhook({profile: this.#chooser.flags.profile})
  }

  /** Whether a response that differs from the contract is a failure. */
  async isStrict(): Promise<boolean> {
    return this.strictGiven() ?? (await this.target()).strict
  }

  /** What `--strict` or CARDCTL_STRICT says; undefined if neither is given. */
  strictGiven(): boolean | undefined {
    const {flags, surroundings} = this.#chooser
    return chosenStrictness(flags.strict, surroundings.env)
  }

  /**
   * Says once on stderr which profile the command acts on, or that it is the embedded sandbox because none was chosen.
   * Call it once that is certain: a usage error acts on no profile. If a script reads JSON, an error stays the only
   * object on stderr.
   *
   * @param isUsed whether a request to it was ever recorded
   */
  announce(isUsed: () => Promise<boolean>): Promise<void> {
    this.#announced ??= this.#announce(isUsed)
    return this.#announced
  }

  /** For a question, which names the profile itself. */
  wasNamed(): void {
    this.#announced ??= Promise.resolve()
  }

  async #announce(isUsed: () => Promise<boolean>): Promise<void> {
    const {surroundings, printer, printsData} = this.#chooser
    const isTerminal = surroundings.stderr.isTTY === true
    if (printsData && !isTerminal) return
    const place = await this.place()
    const key = JSON.stringify(place)
    if (this.#chooser.named.has(key)) return
    this.#chooser.named.add(key)
    const {explicit} = await this.chosen()
    const isNew = !explicit && isTerminal && !(await isUsed()) && (await this.#hasNone())
    printer.note(isNew ? 'sandbox (embedded) · a real service: cardctl profiles add' : placeWords(place))
  }

  /** Whether no profile was made yet. */
  async #hasNone(): Promise<boolean> {
    return (await this.profiles.list()).every(({builtIn}) => builtIn)
  }
}
