import {AD_HOC_PROFILE, type Chosen} from '../profiles/index.ts'

/** One word of a POSIX shell: single quotes, in which nothing means anything. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Makes a command line that a person can paste: it acts on the service that this command acts on. */
export type CommandLine = (...words: readonly string[]) => string

/**
 * `cardctl bulk resume j_… -p prod`. Every hint that names a command with its arguments gets it from here; a test looks
 * for those that don't. An address of the environment may have been given for one command only, so it stands in front.
 *
 * @param chosen undefined as long as it is not known which profile is used.
 */
export function commandLine(words: readonly string[], chosen: Chosen | undefined): string {
  const line = ['cardctl', ...words.map(word)]
  if (chosen === undefined) return line.join(' ')
  const {name, explicit, profile, provenance} = chosen
  const isOverridden = provenance.baseUrl.from === 'environment CARDCTL_BASE_URL'
  return [
    ...(isOverridden ? [`CARDCTL_BASE_URL=${word(profile.baseUrl)}`] : []),
    ...line,
    ...(explicit && name !== AD_HOC_PROFILE ? ['-p', word(name)] : []),
  ].join(' ')
}

const word = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : shellQuoted(text))
