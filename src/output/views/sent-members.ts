import type {JsonSchema} from '../../contract/json-schema.ts'
import {memberAt} from '../../contract/schema.ts'
import type {OperationId} from '../../contract/types.ts'
import {MASK} from '../../sensitive/secret.ts'
import {amount, count} from '../amount.ts'
import {type DetailRow, labelledLines} from '../detail.ts'
import {isPlainObject} from '../plain.ts'
import {painted, type View, type ViewContext} from '../view.ts'

/** What a request sent, member by member, with amounts grouped so that 100 is not taken for 10,000. */
export async function sentRows(operation: string, sent: unknown): Promise<readonly DetailRow[]> {
  // Door to the schemas: few commands print what was sent.
  const {requestSchema} = await import('../../contract/schema.ts')
  const schema = await requestSchema(operation as OperationId).catch(() => undefined)
  return leavesOf(sent).map(({steps, value, holder}) => [
    steps.join('.'),
    shown(steps, value, holder, schema),
  ])
}

/** The view of a reply, with what was sent below it; what is masked tells nothing there. */
export function withSent<Result>(
  view: View<Result>,
  operation: string,
  sent: Readonly<Record<string, unknown>>,
): View<Result> {
  return async (reply, context) => {
    const rows = (await sentRows(operation, sent)).filter(([, value]) => value !== MASK)
    return [await view(reply, context), ...lines(rows, context)].join('\n')
  }
}

const lines = (rows: readonly DetailRow[], context: ViewContext): string[] =>
  labelledLines(rows, context.width).map(line => painted(line, context).trimEnd())

interface Leaf {
  readonly steps: readonly string[]
  readonly value: unknown
  /** The object that it is a member of. */
  readonly holder: unknown
}

/** The values at the ends of a JSON value, each with the names that lead to it. */
export function leavesOf(value: unknown, steps: readonly string[] = [], holder?: unknown): Leaf[] {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
  if (typeof value !== 'object' || value === null || isEmpty) return [{steps, value, holder}]
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...steps, name], value))
}

function shown(
  steps: readonly string[],
  value: unknown,
  holder: unknown,
  schema: JsonSchema | undefined,
): string {
  if (value === null) return 'null'
  if (typeof value === 'string' && steps.at(-2) === 'totals') return amount(value, steps.at(-1))
  if (typeof value === 'string') return value
  if (typeof value !== 'number') return JSON.stringify(value)
  if (schema && memberAt(schema, steps)?.['x-money'] === true) {
    return amount(value, isPlainObject(holder) ? holder.currency : undefined)
  }
  return steps.at(-1) === 'count' ? count(value) : String(value)
}
