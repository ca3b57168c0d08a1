import process from 'node:process'
import {
  argvOf,
  powerShellQuoted,
  type SameService,
  SuggestedCommand,
  shellWord,
  type Word,
} from '../errors/suggested-command.ts'
import {AD_HOC_PROFILE, type Chosen} from '../profiles/index.ts'
import {holdsCardNumber, looksLikeCardNumber} from '../sensitive/card-number.ts'

/** Makes a command that a person can paste. It acts on the same service as this command. */
export type CommandLine = (...words: readonly Word[]) => SuggestedCommand

/** What makes a command line act on a service. @param folders what `foldersPrefix` says */
export function sameService(
  chosen: Chosen | undefined,
  platform: NodeJS.Platform = process.platform,
  folders?: string,
): SameService {
  const {name, explicit, profile, provenance} = chosen ?? {}
  const isOverridden = provenance?.baseUrl.from === 'environment CARDCTL_BASE_URL'
  return {
    platform,
    flags: explicit === true && name !== AD_HOC_PROFILE ? ['-p', name ?? ''] : [],
    profile: name === AD_HOC_PROFILE ? undefined : name,
    prefix: [folders, isOverridden && profile && environmentPrefix(chosen, profile.baseUrl, platform)]
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
  folders?: string,
): SuggestedCommand => new SuggestedCommand(argvOf(words)).for(sameService(chosen, platform, folders))

/** The same of the words that a person would type. They were checked for card numbers. */
export const typedLine = (
  argv: readonly string[],
  chosen: Chosen | undefined,
  platform?: NodeJS.Platform,
  folders?: string,
): SuggestedCommand =>
  new SuggestedCommand(argv).for({...sameService(chosen, platform, folders), hide: word => word})

/** A secret of the environment isn't shown: a shell without it says which variable is missing, and runs nothing. */
function environmentPrefix(chosen: Chosen | undefined, url: string, platform: NodeJS.Platform): string {
  // There, what was set stays set.
  if (platform === 'win32') return `$env:CARDCTL_BASE_URL=${powerShellQuoted(url)};`
  const {provenance, settings} = chosen ?? {}
  const shown = [provenance?.kind, provenance?.auth].flatMap(source => {
    const name = variableOf(source?.from)
    if (source === undefined || name === undefined) return []
    return [name === 'CARDCTL_TOKEN' ? needed(name) : `${name}=${shellWord(source.value, platform)}`]
  })
  const others = (settings?.() ?? []).flatMap(({from}) => variableOf(from) ?? [])
  return [`CARDCTL_BASE_URL=${shellWord(url, platform)}`, ...shown, ...[...new Set(others)].map(needed)].join(
    ' ',
  )
}

const variableOf = (from: string | undefined): string | undefined =>
  /^environment (\w+)$/.exec(from ?? '')?.[1]

const needed = (name: string): string => `${name}="\${${name}:?}"`
