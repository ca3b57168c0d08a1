import * as Flags from '@oclif/core/flags'
import type {Effect} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import {proveNewFile, writeNewFile} from '../files/named-output.ts'
import type {ServiceResponse} from '../http/index.ts'
import {counted} from '../money/amount.ts'
import type {Context} from './context.ts'

export const saveFlag = {
  save: Flags.string({
    helpValue: 'FILE',
    summary:
      'Write the body of the response to a new file that only you can read; - writes it to stdout if that is no terminal.',
    exclusive: ['watch', 'reveal', 'propose', 'all', 'limit', 'paginate'],
  }),
}

/** Before anything is sent. @throws Failure USAGE, OUTPUT_UNWRITABLE if the response could not be written there */
export async function proveSave({surroundings}: Context, target: string): Promise<void> {
  if (target !== '-') return proveNewFile(target)
  if (surroundings.stdout.isTTY !== true) return
  throw new Failure('USAGE', {
    message: 'A response is not written to a terminal as it comes.',
    hint: 'Name a file, or pipe the output to a program.',
    effect: 'none',
  })
}

interface Received {
  readonly response: Pick<ServiceResponse, 'body' | 'file' | 'headers'>
  /** Its JSON or text before anything in it was masked. */
  readonly raw: unknown
  /** Media types of a success, as in the header `accept`; undefined if no document says. */
  readonly accept?: string | undefined
}

/**
 * Writes a response to the file, whole or not at all: what is no text byte by byte, text and JSON masked as when they
 * are printed. Says its type and size on stderr.
 *
 * @returns what was written, for programs.
 * @throws Failure ANSWER_INVALID for a response of another kind than described; OUTPUT_UNWRITABLE
 */
export async function saveResponse(
  {printer, outputOptions: {format, query}}: Context,
  target: string,
  {response: {body, file, headers}, raw, accept}: Received,
): Promise<unknown> {
  const type = file?.type ?? headers['content-type']?.split(';', 1)[0]?.trim() ?? 'of no media type'
  if (body === undefined || (file === undefined && !isAccepted(type, accept))) {
    throw new Failure('ANSWER_INVALID', {
      message: `The response ${body === undefined ? 'is empty' : `is ${type}, which the document does not describe`}: nothing was saved.`,
      hint: 'Leave out --save to see it.',
      effect: 'done',
    })
  }
  const text = typeof body === 'string' ? body : `${JSON.stringify(body, null, 2)}\n`
  const bytes = file?.bytes ?? Buffer.from(text)
  if (file === undefined && !isSame(body, raw)) {
    printer.warn('What is secret in the response is masked in what was saved.', {code: 'MASKED'})
  }
  const about = `${type}, ${counted(bytes.length, 'byte')}`
  if (target === '-') {
    await printer.chunk(bytes)
    printer.note(about)
    return undefined
  }
  await writeNewFile(target, one(bytes))
  printer.note(`${about}, saved to ${target}`)
  const saved = {type, size: bytes.length, file: target}
  if (format !== 'table' || query !== undefined) await printer.data(saved)
  return saved
}

/** Says on stderr that a response is not text, where nobody asked to save it. */
export function noteFile({printer}: Context, {file}: Pick<ServiceResponse, 'file'>, effect: Effect): void {
  if (file === undefined) return
  const how =
    effect === 'read' ? 'To keep it, add --save FILE.' : 'It was not kept; with --save FILE it would be.'
  printer.warn(`The response is ${file.type}, ${counted(file.bytes.length, 'byte')}. ${how}`, {
    code: 'NOT_TEXT',
  })
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

const isSame = (shown: unknown, raw: unknown): boolean =>
  raw === undefined || JSON.stringify(shown) === JSON.stringify(raw)

function isAccepted(type: string, accept: string | undefined): boolean {
  const ranges = accept?.split(',').map(range => range.split(';', 1)[0]?.trim().toLowerCase() ?? '') ?? []
  // What cardctl asks for where the document says nothing.
  if (accept === undefined || ranges[0] === 'application/json') return true
  const [kind] = type.split('/')
  return ranges.some(range => range === '*/*' || range === type || range === `${kind}/*`)
}
