import {Writable} from 'node:stream'
import {isObject} from '../errors/is-object.ts'
import {maskText} from '../sensitive/mask-text.ts'
import {jsonLine} from './escape-text.ts'

export interface LogSettings {
  /** Milliseconds since 1970. */
  now(): number
  /** The trace that the command belongs to. */
  readonly trace?: string | undefined
}

/** The members that lines of JSON have, with their levels. */
const LEVELS = {error: 'error', warning: 'warn', note: 'info', debug: 'debug'} as const

/**
 * Writes each line as one JSON object with `time`, `level` and `trace`, whatever printed it: notes, warnings and errors with
 * their facts, all other lines as `message`.
 */
export function logStream(stream: Writable, settings: LogSettings): Writable {
  let rest = ''
  return new Writable({
    decodeStrings: false,
    autoDestroy: false,
    write: (chunk: string | Uint8Array, _, done) => {
      const text = rest + (typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'))
      const lines = text.split('\n')
      rest = lines.pop() ?? ''
      const entries = lines.filter(line => line.trim() !== '').map(line => `${logEntry(line, settings)}\n`)
      if (entries.length === 0) done()
      else stream.write(entries.join(''), done)
    },
  })
}

function logEntry(line: string, {now, trace}: LogSettings): string {
  const said = knownLine(line) ?? {level: 'info', members: {message: maskText(line)}}
  const head = {
    time: new Date(now()).toISOString(),
    level: said.level,
    ...(trace === undefined ? {} : {trace}),
  }
  return jsonLine({...head, ...said.members, ...head})
}

function knownLine(line: string): {level: string; members: Readonly<Record<string, unknown>>} | undefined {
  if (!line.startsWith('{')) return undefined
  const value = parsed(line)
  if (!isObject(value)) return undefined
  for (const [name, level] of Object.entries(LEVELS)) {
    const members = value[name]
    if (isObject(members)) return {level, members}
  }
  return undefined
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
