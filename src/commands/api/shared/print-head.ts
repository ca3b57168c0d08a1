import type {Context} from '../../../cli/context.ts'
import type {ReceivedHead} from '../../../http/index.ts'
import {jsonLine} from '../../../output/styled.ts'

/**
 * Prints the status line and the headers of a response: above the result for people, on stderr with any other format,
 * so that stdout keeps the shape of the body.
 */
export async function printHead(
  {printer, outputOptions: {format}}: Context,
  {status, headers}: ReceivedHead,
): Promise<void> {
  const line = `HTTP ${status}`
  if (format === 'json' || format === 'ndjson') {
    printer.say(jsonLine({note: {code: 'RESPONSE_HEAD', message: line, status, headers}}))
    return
  }
  const lines = [line, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  if (format === 'table') for (const text of [...lines, '']) await printer.text(text)
  else printer.question(...lines)
}
