import {Writable} from 'node:stream'
import {StringDecoder} from 'node:string_decoder'
import {isObject} from '../errors/is-object.ts'
import {maskLine} from '../sensitive/mask-line.ts'
import {jsonLine} from './styled.ts'

export interface LogSettings {
  /** Milliseconds since 1970. */
  now(): number
  /** The trace that the command belongs to. */
  readonly trace?: string | undefined
}

/** The members that lines of JSON have, with their levels. */
const LEVELS = {error: 'error', warning: 'warn', note: 'info', debug: 'debug'} as const

export interface LogStream {
  readonly stream: Writable
  /** Writes a last line that has no line end. */
  flush(): void
}

/**
 * Writes each line as one JSON object with `time`, `level` and `trace`, whatever printed it: notes, warnings and errors with
 * their facts, all other lines as `message`.
 */
export function openLog(target: Writable, settings: LogSettings): LogStream {
  // A character may be cut between two chunks.
  const decoder = new StringDecoder('utf8')
  let rest = ''
  const write = (lines: readonly string[], done?: (error?: Error | null) => void): void => {
    const entries = lines.filter(line => line.trim() !== '').map(line => `${logEntry(line, settings)}\n`)
    if (entries.length === 0) done?.()
    else target.write(entries.join(''), done)
  }
  const stream = new Writable({
    decodeStrings: false,
    autoDestroy: false,
    write: (chunk: string | Uint8Array, _, done) => {
      const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.write(chunk))).split('\n')
      rest = lines.pop() ?? ''
      write(lines, done)
    },
  })
  return {
    stream,
    flush: () => {
      write([rest + decoder.end()])
      rest = ''
    },
  }
}

function logEntry(line: string, {now, trace}: LogSettings): string {
  const said = knownLine(line) ?? {level: 'info', members: {message: maskLine(line)}}
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
