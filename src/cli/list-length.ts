import type {Context} from './context.ts'
import {integerFlag} from './flags.ts'
import type {IncompleteReason} from './walk-pages.ts'

/** On a terminal, a list of records of this machine shows this many. */
export const ON_TERMINAL = 30

/** On lists of records of this machine. */
export const lengthFlag = {
  limit: integerFlag({
    min: 1,
    summary: `Maximum number of results (default ${ON_TERMINAL} on a terminal, otherwise all).`,
  }),
}

/** Whether nobody reads along: what is piped, or printed with --quiet, never ends early by itself. */
export const isForProgram = ({surroundings, outputOptions}: Context): boolean =>
  surroundings.stdout.isTTY !== true || outputOptions.quiet === true

/** A list that ends early, and says so on stderr. */
export interface Limited<Item> {
  readonly items: Iterable<Item>
  /** Call it when the items were printed. */
  reportMore(): void
}

export function limited<Item>(
  context: Context,
  all: Iterable<Item>,
  {limit}: {readonly limit?: number | undefined},
): Limited<Item> {
  const most = limit ?? (isForProgram(context) ? Number.POSITIVE_INFINITY : ON_TERMINAL)
  let hasMore = false
  function* items() {
    let left = most
    for (const item of all) {
      hasMore = left-- <= 0
      if (hasMore) return
      yield item
    }
  }
  return {
    items: items(),
    reportMore: () => {
      if (!hasMore) return
      const reason = limit === undefined ? 'FIRST_PAGE' : 'LIMIT'
      reportMore(context, `These are the newest ${most}. For more, pass --limit.`, {reason, shown: most})
    },
  }
}

/** With `-o json` or `ndjson` as one line of JSON. */
export function reportMore(
  context: Context,
  message: string,
  facts: {readonly reason: IncompleteReason; readonly shown?: number},
): void {
  context.printer.fact(message, {code: 'MORE_RESULTS', complete: false, ...facts})
}
