import type {View} from '../output/index.ts'
import type {Context} from './context.ts'

/** Prints a result that holds a list: as CSV, without --query, a row for each item of the list. */
export async function printRows<Result>(
  {printer, outputOptions: {format, query}}: Context,
  result: Result,
  rows: readonly unknown[],
  view?: View<Result>,
): Promise<void> {
  if (format === 'csv' && query === undefined) await printer.list(rows)
  else await printer.data(result, view)
}
