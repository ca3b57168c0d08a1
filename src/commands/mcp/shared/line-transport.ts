import type {JSONRPCMessage, Transport} from '@modelcontextprotocol/server'
import {parseJSONRPCMessage} from '@modelcontextprotocol/server'
import type {Input, Output} from '../../../cli/surroundings.ts'
import {isObject} from '../../../errors/is-object.ts'
import {changedNumber, exceededLimit, inBytes, repeatsName} from '../../../limits/limits.ts'
import {jsonLine} from '../../../output/styled.ts'

/** Of one message. */
export const MESSAGE_LIMITS = {bytes: 1024 * 1024, depth: 64, values: 50_000, text: 512 * 1024} as const

const NEW_LINE = 0x0a
/** Codes of JSON-RPC. */
const NO_JSON = -32_700
const NO_REQUEST = -32_600

/**
 * Messages as lines of JSON on two streams. Unlike the transport of the SDK, it answers a line that it can't take, and
 * refuses numbers that reading would change: they may be ids or amounts.
 */
export class LineTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #input: Input
  readonly #output: Output
  #chunks: Buffer[] = []
  #bytes = 0
  #isSkipping = false
  #isClosed = false

  readonly #whenGone: () => void

  /** @param whenGone called first when the connection ends, by whichever side */
  constructor(input: Input, output: Output, whenGone: () => void) {
    this.#input = input
    this.#output = output
    this.#whenGone = whenGone
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#read).on('end', this.#end).on('close', this.#end).on('error', this.#end)
    this.#output.on('error', this.#end)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(message)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#whenGone()
    this.#input.off('data', this.#read).off('end', this.#end).off('close', this.#end).off('error', this.#end)
    this.#input.pause()
    this.onclose?.()
  }

  readonly #end = (): void => {
    void this.close()
  }

  readonly #read = (chunk: Buffer | string): void => {
    let rest = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    for (let at = rest.indexOf(NEW_LINE); at !== -1 && !this.#isClosed; at = rest.indexOf(NEW_LINE)) {
      this.#keep(rest.subarray(0, at))
      this.#line()
      rest = rest.subarray(at + 1)
    }
    this.#keep(rest)
  }

  /** Keeps a part of a line. Of one that is too long, nothing. */
  #keep(part: Buffer): void {
    if (this.#isSkipping || part.length === 0) return
    this.#bytes += part.length
    if (this.#bytes <= MESSAGE_LIMITS.bytes) {
      this.#chunks.push(part)
      return
    }
    this.#isSkipping = true
    this.#chunks = []
    this.#refuse(NO_REQUEST, `The message has more than ${inBytes(MESSAGE_LIMITS.bytes)}.`)
  }

  #line(): void {
    const line = Buffer.concat(this.#chunks)
    const isSkipped = this.#isSkipping
    this.#chunks = []
    this.#bytes = 0
    this.#isSkipping = false
    if (!isSkipped) this.#take(line)
  }

  #take(line: Buffer): void {
    if (line.every(byte => byte === 0x20 || byte === 0x0d)) return
    const read = readMessage(line)
    if ('refused' in read) this.#refuse(read.code, read.refused, read.id)
    else this.onmessage?.(read.message)
  }

  #refuse(code: number, message: string, id?: string | number): void {
    this.onerror?.(new Error(message))
    this.#write({jsonrpc: '2.0', ...(id === undefined ? {} : {id}), error: {code, message}}).catch(this.#end)
  }

  #write(message: unknown): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error('The client is gone.'))
    return new Promise((resolve, reject) => {
      this.#output.write(`${jsonLine(message)}\n`, error => (error ? reject(error) : resolve()))
    })
  }
}

interface Refused {
  readonly code: number
  readonly refused: string
  readonly id?: string | number | undefined
}

function readMessage(line: Buffer): Refused | {readonly message: JSONRPCMessage} {
  const text = line.toString('utf8')
  const beyond = exceededLimit(text, MESSAGE_LIMITS)
  if (beyond) return {code: NO_REQUEST, refused: `The message can't be used: it ${beyond.why}.`}
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(line))
  } catch {
    return {code: NO_JSON, refused: 'The line is no JSON in UTF-8. Each message is one line.'}
  }
  const id = idOf(value)
  const fault = repeatsName(text, value)
    ? 'The message has a field twice in one object. Write each field once.'
    : changedNumber(text) === undefined
      ? undefined
      : 'A number in the message has more digits than JSON keeps: a different one would be used. Write it as text.'
  if (fault !== undefined) return {code: NO_REQUEST, refused: fault, id}
  try {
    return {message: parseJSONRPCMessage(value)}
  } catch {
    return {code: NO_REQUEST, refused: 'The line is no message of JSON-RPC 2.0.', id}
  }
}

const idOf = (value: unknown): string | number | undefined => {
  const id = isObject(value) ? value.id : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}
