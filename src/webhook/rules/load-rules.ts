import {stat} from 'node:fs/promises'
import {Failure} from '../../errors/failure.ts'
import {readWhole} from '../../input/read-input.ts'
import {unreadableInput} from '../../input/unreadable-input.ts'
import {inBytes, LIMITS} from '../../limits/limits.ts'
import type {Rule} from './compile-rules.ts'
import {type Issue, readRules} from './read-rules.ts'

/** The rules of a file, and how to see that it was saved again. */
export interface LoadedRules {
  readonly file: string
  readonly rules: readonly Rule[]
  /** `rules.yaml:3:7: …` */
  readonly warnings: readonly string[]
  /** Changes with every saving. */
  readonly version: string
}

/** @throws Failure INPUT_INVALID for a file that cannot be read, or with all that is wrong in it, by line and column. */
export async function loadRules(file: string, signal: AbortSignal): Promise<LoadedRules> {
  // Taken before the text: what is saved in between is seen as newer.
  const version = await versionOf(file)
  const {rules, problems, warnings} = await readRules(await textOf(file, signal))
  if (problems.length > 0) throw unusable(file, problems)
  return {file, rules, warnings: warnings.map(issue => placed(file, issue)), version}
}

/** What changes when a file is saved, also when it is replaced by another one; '' for none. */
export async function versionOf(file: string): Promise<string> {
  try {
    const {ino, size, mtimeNs} = await stat(file, {bigint: true})
    return `${ino} ${size} ${mtimeNs}`
  } catch {
    return ''
  }
}

async function textOf(file: string, signal: AbortSignal): Promise<string> {
  const bytes = await readWhole(file, signal, LIMITS.rules.bytes).catch((error: unknown) => {
    throw unreadableInput(file, error)
  })
  if (bytes === undefined)
    throw new Failure('INPUT_INVALID', {message: `${file} is larger than ${inBytes(LIMITS.rules.bytes)}.`})
  return bytes.toString('utf8')
}

function unusable(file: string, problems: readonly Issue[]): Failure {
  const lines = problems.map(issue => placed(file, issue))
  const [first = '', ...others] = lines
  return new Failure('INPUT_INVALID', {
    message: others.length === 0 ? `${first}.` : `${lines.length} things are wrong in ${file}.`,
    hint: 'See docs/webhooks.md for what rules can say.',
    data: {file, violations: problems, lines},
  })
}

const placed = (file: string, {line, column, message}: Issue): string =>
  `${file}:${line}:${column}: ${message}`
