import {spareMemory} from '../rows/spare-memory.ts'
import {chooseFields, plain} from './fields.ts'
import {formatJson} from './formats.ts'
import {type ListOutput, missingColumns} from './print-list.ts'
import type {OutputOptions} from './printer-options.ts'

export interface PartsOutput extends ListOutput {
  /** The text of a part, as a table or YAML. */
  text(part: readonly unknown[]): Promise<string>
}

type Part = readonly unknown[]

/**
 * Prints a long list part by part, in constant memory. JSON and YAML stay one document. A table begins again with each
 * part, because the widths of its columns depend on the items. Stops once the reader has closed the output.
 */
export async function printParts(
  first: Iterable<Part>,
  rest: AsyncIterable<Part>,
  {format, columns}: OutputOptions,
  output: PartsOutput,
): Promise<void> {
  spareMemory()
  const missing = missingColumns(columns)
  const print = await partPrinter(format, output)
  const printPart = async (part: Part) => {
    const items = part.map(item => plain(item))
    for (const item of items) missing.see(item)
    const chosen = columns === undefined ? items : items.map(item => chooseFields(item, columns))
    await print(format === 'table' ? part : chosen)
  }
  for (const part of first) {
    await printPart(part)
    if (output.isClosed()) return
  }
  for await (const part of rest) {
    await printPart(part)
    if (output.isClosed()) return
  }
  // Without this end, a list that broke off is no JSON.
  if (format === 'json') await output.write('\n]\n')
  missing.tell(output)
}

async function partPrinter(
  format: OutputOptions['format'],
  output: PartsOutput,
): Promise<(part: Part) => Promise<void>> {
  let isFirst = true
  const between = (text: string) => {
    const separator = isFirst ? '' : text
    isFirst = false
    return separator
  }
  if (format === 'json') {
    const begin = '[\n'
    const end = '\n]\n'
    return part => {
      const text = formatJson(part).slice(begin.length, -end.length)
      return output.write(`${isFirst ? begin : ''}${between(',\n')}${text}`)
    }
  }
  if (format === 'yaml') {
    return async part => output.write(await output.text(part))
  }
  return async part => output.write(`${between('\n')}${await output.text(part)}`)
}
