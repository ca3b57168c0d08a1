import {profileOf, valueIn} from '../../../cli/profile-of.ts'

/** The parts of `x <tag> <operation> …` before its flags are known; the profile's contract defines those. */
export interface ImportedLine {
  readonly tag?: string
  readonly operation?: string
  readonly profile?: string
  readonly contract?: string
  /** The rest, for the parser. */
  readonly rest: string[]
}

/** Splits the arguments of `x`. Only flags that choose the contract may come before tag and operation. */
export function splitLine(argv: readonly string[]): ImportedLine {
  const words: string[] = []
  let at = 0
  const rest: string[] = []
  for (; at < argv.length && words.length < 2; at++) {
    const word = argv[at] ?? ''
    if (CHOOSES.test(word)) {
      rest.push(word)
      if (!word.includes('=')) rest.push(...argv.slice(++at, at + 1))
    } else if (word.startsWith('-')) break
    else words.push(word)
  }
  rest.push(...argv.slice(at))
  const [tag, operation] = words
  const profile = profileOf(rest)
  const contract = valueIn(rest, ['--contract'])
  return {
    ...(tag === undefined ? {} : {tag}),
    ...(operation === undefined ? {} : {operation}),
    ...(profile === undefined ? {} : {profile}),
    ...(contract === undefined ? {} : {contract}),
    rest,
  }
}

const CHOOSES = /^(?:-p|--profile|--contract)(?:=|$)/
