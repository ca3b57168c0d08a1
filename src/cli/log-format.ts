import {readTraceContext} from '../network/trace-context.ts'
import {openLog} from '../output/log-stream.ts'
import type {Surroundings} from './surroundings.ts'

/** What writes the last line of each stream. */
const logged = new WeakMap<object, () => void>()

/**
 * The surroundings with a stderr of JSON lines, if the command line or the environment asks for it. The line is read as
 * text, because an error may be in it.
 */
export function withLogFormat(argv: readonly string[], surroundings: Surroundings): Surroundings {
  const {stderr, env, now} = surroundings
  if (logged.has(stderr) || !wantsLog(argv, env.CARDCTL_LOG_FORMAT)) return surroundings
  const trace = readTraceContext(env.TRACEPARENT)?.traceId
  const {stream, flush} = openLog(stderr, {now, trace})
  logged.set(stream, flush)
  // stdin is opened by reading it, so its getter is kept.
  const members = Object.getOwnPropertyDescriptors(surroundings)
  return Object.defineProperties({}, {...members, stderr: {value: stream, enumerable: true}}) as Surroundings
}

/** Writes what is left of the log when a command ends: its last line may have no line end. */
export const endLog = ({stderr}: Pick<Surroundings, 'stderr'>): void => logged.get(stderr)?.()

/** Whether stderr has lines of JSON. */
export const isLogged = ({stderr}: Pick<Surroundings, 'stderr'>): boolean => logged.has(stderr)

function wantsLog(argv: readonly string[], usual: string | undefined): boolean {
  const end = argv.indexOf('--')
  const words = end === -1 ? argv : argv.slice(0, end)
  const at = words.findLastIndex(word => word === '--log-format' || word.startsWith('--log-format='))
  const word = words[at]
  if (word === undefined) return usual === 'json'
  return (word === '--log-format' ? words[at + 1] : word.slice('--log-format='.length)) === 'json'
}
