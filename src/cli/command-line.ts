import process from 'node:process'
import {
  argvOf,
  powerShellQuoted,
  type SameService,
  SuggestedCommand,
  shellWord,
  type Word,
} from '../errors/suggested-command.ts'
import {AD_HOC_PROFILE, type Chosen, type Sourced} from '../profiles/index.ts'
import {settings} from '../profiles/settings.ts'
import {holdsCardNumber, looksLikeCardNumber} from '../sensitive/card-number.ts'

/** What the shell of the reader of a log may lack. */
export interface ForLog {
  /** Variables that choose profiles and journal, as the shell takes them. */
  readonly folders: string | undefined
}

/** Makes a command that a person can paste. It acts on the same service as this command. */
export type CommandLine = (...words: readonly Word[]) => SuggestedCommand

/** What makes a command line act on a service. @param log what a log is told, in place of a person's own shell */
export function sameService(
  chosen: Chosen | undefined,
  platform: NodeJS.Platform = process.platform,
  log?: ForLog,
): SameService {
  const {name, explicit} = chosen ?? {}
  return {
    platform,
    flags: explicit === true && name !== AD_HOC_PROFILE ? ['-p', name ?? ''] : [],
    profile: name === AD_HOC_PROFILE ? undefined : name,
    prefix: [log?.folders, ...(chosen ? environmentOf(chosen, platform, log !== undefined) : [])]
      .filter(Boolean)
      .join(' '),
    hide: withoutCardNumber,
  }
}

const withoutCardNumber = (word: string): string =>
  looksLikeCardNumber(word) || holdsCardNumber(word) ? 'ID' : word

/**
 * `cardctl bulk resume j_… -p prod`. A base URL of the environment may have been set for one command only, so the line
 * begins with it.
 *
 * @param chosen undefined until it is known which profile is used.
 */
export const commandLine = (
  words: readonly Word[],
  chosen: Chosen | undefined,
  platform?: NodeJS.Platform,
  log?: ForLog,
): SuggestedCommand => new SuggestedCommand(argvOf(words)).for(sameService(chosen, platform, log))

/** The same of the words that a person would type, which may name the profile. They were checked for card numbers. */
export function typedLine(
  argv: readonly string[],
  chosen: Chosen | undefined,
  platform?: NodeJS.Platform,
  log?: ForLog,
): SuggestedCommand {
  const service = sameService(chosen, platform, log)
  const flags = argv.some(word => CHOOSES_PROFILE.test(word)) ? [] : service.flags
  return new SuggestedCommand(argv).for({...service, flags, hide: word => word})
}

const CHOOSES_PROFILE = /^(?:-p.*|--profile(?:=.*)?)$/s

/**
 * The variables that say which service a request goes to, and as whom. A secret isn't shown: a shell without it says which
 * variable is missing, and runs nothing.
 */
function environmentOf(chosen: Chosen, platform: NodeJS.Platform, isForLog: boolean): readonly string[] {
  const {provenance, profile} = chosen
  const {baseUrl, kind, auth, auditUser, bid} = provenance
  const isOverridden = variableOf(baseUrl.from) !== undefined
  // There, what was set stays set.
  if (platform === 'win32')
    return isOverridden ? [`$env:CARDCTL_BASE_URL=${powerShellQuoted(profile.baseUrl)};`] : []
  const shown = (source: Sourced<string> | undefined, flag?: string): readonly string[] => {
    const name = source?.from === 'flag' ? flag : variableOf(source?.from)
    if (source === undefined || name === undefined) return []
    return [name === 'CARDCTL_TOKEN' ? needed(name) : `${name}=${shellWord(source.value, platform)}`]
  }
  const who = [...shown(auditUser, settings.auditUser.env), ...shown(bid)]
  // The shell of a person has those of the profile.
  if (!isOverridden) return isForLog ? who : []
  const rest = chosen.settings().flatMap(({from}) => variableOf(from) ?? [])
  const url = `CARDCTL_BASE_URL=${shellWord(profile.baseUrl, platform)}`
  return [url, ...shown(kind), ...shown(auth), ...[...new Set(rest)].map(needed), ...who]
}

const variableOf = (from: string | undefined): string | undefined =>
  /^environment (\w+)$/.exec(from ?? '')?.[1]

const needed = (name: string): string => `${name}="\${${name}:?}"`
