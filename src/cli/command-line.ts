import process from 'node:process'
import {AD_HOC_PROFILE, type Chosen} from '../profiles/index.ts'

/** One word of a POSIX shell, in single quotes, where no character is special. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const powerShellQuoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** One word of a command line to paste, for the shell that is usual on a platform: PowerShell on Windows. */
export function shellWord(text: string, platform: NodeJS.Platform): string {
  if (platform !== 'win32') return /^[\w@%+=:,./-]+$/.test(text) ? text : shellQuoted(text)
  if (/^[\w+=:./\\-]+$/.test(text)) return text
  // cmd knows only double quotes, in which PowerShell replaces what begins with $ or a backtick.
  return /["$`%]|\\$/.test(text) ? powerShellQuoted(text) : `"${text}"`
}

/** Makes a command line that a person can paste. It acts on the same service as this command. */
export type CommandLine = (...words: readonly string[]) => string

/**
 * `cardctl bulk resume j_… -p prod`. Every hint that names a command with arguments uses it; a test looks for those
 * that don't. A base URL of the environment may have been set for one command only, so the line begins with it.
 *
 * @param chosen undefined until it is known which profile is used.
 */
export function commandLine(
  words: readonly string[],
  chosen: Chosen | undefined,
  platform: NodeJS.Platform = process.platform,
): string {
  const word = (text: string): string => shellWord(text, platform)
  const line = ['cardctl', ...words.map(word)]
  if (chosen === undefined) return line.join(' ')
  const {name, explicit, profile, provenance} = chosen
  const isOverridden = provenance.baseUrl.from === 'environment CARDCTL_BASE_URL'
  return [
    ...(isOverridden ? [baseUrlPrefix(profile.baseUrl, platform)] : []),
    ...line,
    ...(explicit && name !== AD_HOC_PROFILE ? ['-p', word(name)] : []),
  ].join(' ')
}

const baseUrlPrefix = (url: string, platform: NodeJS.Platform): string =>
  platform === 'win32'
    ? `$env:CARDCTL_BASE_URL=${powerShellQuoted(url)};`
    : `CARDCTL_BASE_URL=${shellWord(url, platform)}`
