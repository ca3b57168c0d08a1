import {AD_HOC_PROFILE, type Chosen} from '../profiles/index.ts'

/** One word of a POSIX shell, in single quotes, where no character is special. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Makes a command line that a person can paste. It acts on the same service as this command. */
export type CommandLine = (...words: readonly string[]) => string

/**
 * `cardctl bulk resume j_… -p prod`. Every hint that names a command with arguments uses it; a test looks for those
 * that don't. A base URL of the environment may have been set for one command only, so the line begins with it.
 *
 * @param chosen undefined until it is known which profile is used.
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
