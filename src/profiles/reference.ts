import {isAbsolute, join, resolve} from 'node:path'
import {Failure} from '../errors/failure.ts'
import {nearestName} from '../errors/nearest-name.ts'

/** Where a secret is kept, never the secret itself. Only cardctl writes `keyring` and `secretfile`. */
export interface SecretReference {
  readonly source: 'env' | 'file' | 'cmd' | 'keyring' | 'secretfile'
  /** A variable's name, an absolute path, a command line, or an account in cardctl's own store. */
  readonly locator: string
}

/** What relative paths and `~/` refer to. */
export interface Place {
  readonly cwd?: string | undefined
  readonly homedir: string
}

const userSources = ['env', 'file', 'cmd'] as const
const ownSources = ['keyring', 'secretfile'] as const

/** The stored form, e.g. `env:API_TOKEN`. */
export function formatReference({source, locator}: SecretReference): string {
  return `${source}:${locator}`
}

/**
 * Reads a reference from the user: `env:NAME`, `file:PATH` or `cmd:COMMAND`. Paths relative to `cwd` and paths with
 * `~/` become absolute.
 *
 * @throws Failure SENSITIVE_IN_ARGV if it is none of these. It may be the secret itself, so it is never quoted.
 */
export function parseReference(text: string, place: Place): SecretReference {
  const reference = split(text, userSources)
  if (reference === undefined) {
    const colon = text.indexOf(':')
    const meant = colon > 0 && colon < 8 ? nearestName(text.slice(0, colon), userSources) : undefined
    throw new Failure('SENSITIVE_IN_ARGV', {
      message: `A secret must be given as env:NAME, file:PATH or cmd:COMMAND, never as itself.${
        meant === undefined ? '' : ` Did you mean ${meant}:?`
      }`,
      effect: 'none',
    })
  }
  const problem = locatorProblem(reference.source, reference.locator)
  if (problem !== undefined) throw new Failure('INPUT_INVALID', {message: problem, effect: 'none'})
  if (reference.source !== 'file') return reference
  return {source: 'file', locator: absolute(reference.locator, place)}
}

/** A path from the user, made absolute. */
export function absolute(path: string, {cwd, homedir}: Place): string {
  if (path === '~' || path.startsWith('~/')) return join(homedir, path.slice(1))
  return resolve(cwd ?? '', path)
}

/** Parses a stored reference; undefined if it isn't one. */
export function storedReference(text: string): SecretReference | undefined {
  const reference = split(text, [...userSources, ...ownSources])
  if (reference === undefined || locatorProblem(reference.source, reference.locator)) return undefined
  if (reference.source === 'file' && !isAbsolute(reference.locator)) return undefined
  return reference
}

function split(text: string, sources: readonly SecretReference['source'][]): SecretReference | undefined {
  const source = sources.find(name => text.startsWith(`${name}:`))
  return source && {source, locator: text.slice(source.length + 1)}
}

/** What is wrong with the part after the colon, if anything. Never quotes it: `env:` may be followed by a secret. */
function locatorProblem(source: SecretReference['source'], locator: string): string | undefined {
  switch (source) {
    case 'env':
      return /^[A-Za-z_][A-Za-z0-9_]*$/.test(locator)
        ? undefined
        : 'What follows env: is not the name of a variable: letters, digits and _ only.'
    case 'file':
      return locator === '' || locator.includes('\0') ? 'What follows file: is not a path.' : undefined
    case 'cmd': {
      const words = splitCommand(locator)
      if (words === undefined) return 'The command after cmd: has a quotation mark without its partner.'
      return words[0] ? undefined : 'No command follows cmd:.'
    }
    default:
      return locator === '' ? `Nothing follows ${source}:.` : undefined
  }
}

/**
 * Splits a command line into words without a shell. Spaces separate words; '…' keeps everything; in "…" and in bare
 * words, \ escapes the next character (inside "…" only " and \). Undefined if a quotation mark or a \ isn't closed.
 */
export function splitCommand(line: string): string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  let quote: string | undefined
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at)
    const next = line[at + 1]
    if (quote === undefined && /[ \t\r\n]/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (character === quote) {
      quote = undefined
    } else if (quote === undefined && (character === '"' || character === "'")) {
      quote = character
      word ??= ''
    } else if (
      character === '\\' &&
      quote !== "'" &&
      (quote === undefined || next === '"' || next === '\\')
    ) {
      if (next === undefined) return undefined
      word = `${word ?? ''}${next}`
      at++
    } else {
      word = `${word ?? ''}${character}`
    }
  }
  if (quote !== undefined) return undefined
  if (word !== undefined) words.push(word)
  return words
}
