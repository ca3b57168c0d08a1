import type {CommandData} from '../../../cli/help/tool-data.ts'
import type {ProfileKind} from '../../../profiles/index.ts'
import {isOfferedFlag} from './offered-flags.ts'

/** Reads that claim no operation and still are tools. Other commands without one concern this machine. */
const RECORD_READS: ReadonlySet<string> = new Set([
  'find',
  'history',
  'remotecheckout traces',
  'requests list',
  'requests proposals',
  'requests show',
  'whoami',
])

/** Commands that could be tools by their effects and aren't. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'sandbox snapshot fork': 'it writes to other folders and stores',
  'sandbox snapshot list': 'it reads files of this machine',
}

/** Why a command is no tool on a profile of this kind; undefined if it is one. */
export function whyNoTool(command: CommandData, kind: ProfileKind): string | undefined {
  const {name, effects, operations, flags, secretFields} = command
  if (Object.hasOwn(LEFT_OUT, name)) return LEFT_OUT[name]
  if (effects.includes('disclose')) return 'it discloses something'
  if (effects.includes('local')) return 'it changes something on this machine'
  if (effects.includes('any')) return 'what it sends is not known before'
  if (operations.length === 0 && !RECORD_READS.has(name)) return 'it concerns this machine or an endpoint'
  if (flags.some(flag => flag.required && !isOfferedFlag(flag)))
    return 'it needs a secret, a file or an address'
  if (isWrite(command) && secretFields.length > 0) return 'it takes a secret'
  if (name.startsWith('sandbox ') && kind !== 'sandbox') return 'the profile is no sandbox'
  if (kind === 'live' && isWrite(command) && !canPropose(command)) return 'it cannot be proposed'
  return undefined
}

export const isWrite = ({effects}: CommandData): boolean => effects.some(effect => effect !== 'read')

const canPropose = ({flags}: CommandData): boolean => flags.some(({name}) => name === '--propose')
