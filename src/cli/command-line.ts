import process from 'node:process'
import {AD_HOC_PROFILE, type Chosen} from '../profiles/index.ts'
import {holdsCardNumber, looksLikeCardNumber} from '../sensitive/card-number.ts'

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

/**
 * A word of ours, which is in lower case, or a value, such as an id of the service or the name of a file. Values may look
 * like anything. One that follows a flag is the flag's.
 */
export type Word = Lowercase<string> | '-F' | {readonly value: string}

/** Makes a command line that a person can paste. It acts on the same service as this command. */
export type CommandLine = (...words: readonly Word[]) => string

/**
 * `cardctl bulk resume j_… -p prod`. Every hint that names a command with arguments uses it; a test looks for those
 * that don't. A base URL of the environment may have been set for one command only, so the line begins with it.
 *
 * @param chosen undefined until it is known which profile is used.
 */
export function commandLine(
  words: readonly Word[],
  chosen: Chosen | undefined,
  platform?: NodeJS.Platform,
): string {
  return typedLine(argvOf(words), chosen, platform)
}

/** `commandLine` of the words that a person would type. */
export function typedLine(
  argv: readonly string[],
  chosen: Chosen | undefined,
  platform: NodeJS.Platform = process.platform,
): string {
  const {name, explicit, profile, provenance} = chosen ?? {}
  const isOverridden = provenance?.baseUrl.from === 'environment CARDCTL_BASE_URL'
  const own = explicit === true && name !== AD_HOC_PROFILE ? ['-p', name ?? ''] : []
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  return [
    ...(isOverridden && profile ? [baseUrlPrefix(profile.baseUrl, platform)] : []),
    'cardctl',
    ...argv.toSpliced(end, 0, ...own).map(text => shellWord(text, platform)),
  ].join(' ')
}

/** An argument that looks like a flag stands after `--`. A value that may be a card number is left to the reader. */
function argvOf(words: readonly Word[]): string[] {
  const [argv, operands]: [string[], string[]] = [[], []]
  for (const [at, word] of words.entries()) {
    const [text, before] = [shown(word), words[at - 1]]
    const isOfFlag = typeof before === 'string' && before.startsWith('-')
    const isFlagLike = typeof word !== 'string' && text.startsWith('-')
    if (isOfFlag && isFlagLike) argv.push(`${argv.pop()}=${text}`)
    else if (isFlagLike || (operands.length > 0 && typeof word !== 'string' && !isOfFlag)) operands.push(text)
    else argv.push(text)
  }
  return operands.length === 0 ? argv : [...argv, '--', ...operands]
}

function shown(word: Word): string {
  if (typeof word === 'string') return word
  return looksLikeCardNumber(word.value) || holdsCardNumber(word.value) ? 'ID' : word.value
}

const baseUrlPrefix = (url: string, platform: NodeJS.Platform): string =>
  platform === 'win32'
    ? `$env:CARDCTL_BASE_URL=${powerShellQuoted(url)};`
    : `CARDCTL_BASE_URL=${shellWord(url, platform)}`
