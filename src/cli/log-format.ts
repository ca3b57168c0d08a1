import {readTraceContext} from '../network/trace-context.ts'
import {logStream} from '../output/log-stream.ts'
import type {Surroundings} from './surroundings.ts'

const logged = new WeakSet<object>()

/**
 * The surroundings with a stderr of JSON lines, if the command line or the environment asks for it. The line is read as
 * text, because an error may be in it.
 */
export function withLogFormat(argv: readonly string[], surroundings: Surroundings): Surroundings {
  const {stderr, env, now} = surroundings
  if (logged.has(stderr) || !wantsLog(argv, env.CARDCTL_LOG_FORMAT)) return surroundings
  const trace = readTraceContext(env.TRACEPARENT)?.traceId
  const stream = logStream(stderr, {now, trace})
  logged.add(stream)
  // stdin is opened by reading it, so its getter is kept.
  const members = Object.getOwnPropertyDescriptors(surroundings)
  return Object.defineProperties({}, {...members, stderr: {value: stream, enumerable: true}}) as Surroundings
}

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
