import {type Minor, minorOf, readAmount} from '../received-call.ts'
import {type CommandSettings, runCommand} from './run-command.ts'

/** The holds that an endpoint has for a call; those of zero are left out. */
export type Probe = (id: string) => Promise<readonly Minor[]>

/** A probe gave no usable answer: why, as a sentence without a full stop. */
export class ProbeFault extends Error {
  override readonly name = 'ProbeFault'
}

export const LIMIT_MS = 20_000

/**
 * Asks a command of the user for the holds of a call. `{id}` in it becomes the `metadata.id` of the call, which is made
 * here of letters, digits and hyphens; without it, the id becomes the last argument. It prints a JSON array of
 * `{amount, currency}`.
 */
export function openProbe(command: string, settings: Pick<CommandSettings, 'env' | 'signal'>): Probe {
  return async id => {
    if (!/^[\w-]+$/.test(id)) throw new ProbeFault('the id of the call is no plain word')
    const line = command.includes('{id}') ? command.replaceAll('{id}', id) : `${command} ${id}`
    const ended = await runCommand(line, {...settings, withinMs: LIMIT_MS, reads: true})
    if ('problem' in ended) throw new ProbeFault(`--probe failed: ${ended.problem}`)
    return readHolds(ended.text)
  }
}

/** @throws ProbeFault */
export function readHolds(text: string): readonly Minor[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ProbeFault('--probe failed: it did not print JSON')
  }
  if (!Array.isArray(value)) throw new ProbeFault('--probe failed: it did not print an array of holds')
  return value.map(holdOf).filter(({minor}) => minor !== 0n)
}

function holdOf(value: unknown): Minor {
  const read = readAmount(value)
  const minor = read && minorOf(read)
  if (minor) return minor
  throw new ProbeFault('--probe failed: a hold has no amount and currency')
}
