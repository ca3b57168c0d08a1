import {Failure} from '../errors/failure.ts'
import {isInterruption} from '../errors/interruption.ts'
import type {ListView} from '../output/index.ts'
import {sentence, stack} from '../output/view.ts'
import type {Context} from './context.ts'
import {reportMore} from './list-length.ts'
import type {PageFlags} from './pages.ts'
import type {IncompleteReason, PagedItems} from './walk-pages.ts'

/** What is said if the flags left something out. */
export interface MoreToSay {
  readonly message: string
  readonly reason: IncompleteReason
}

/** What to say of a list on which the flags set an end. */
export const moreThan = ({limit}: PageFlags): MoreToSay =>
  limit === undefined
    ? {reason: 'FIRST_PAGE', message: 'There is more: --all for everything, --limit N for the first N.'}
    : {reason: 'LIMIT', message: 'There is more: --all for everything.'}

/**
 * Prints a list that comes in pages. If it breaks off, stdout has what came, whole in its format, and a note says that
 * it isn't all.
 *
 * @throws Failure that ended it, with `complete` and `reason` in its data
 */
export async function printPages(
  context: Context,
  {items, hasMore}: PagedItems,
  view: ListView,
  more?: MoreToSay,
): Promise<unknown[] | undefined> {
  let shown = 0
  const end: {failure?: Failure} = {}
  async function* whatComes(): AsyncGenerator<unknown> {
    try {
      for await (const item of items) {
        shown++
        yield item
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      // Without an item there is nothing to keep, unless the list is known to be one.
      const isKept = shown > 0 || error.code === 'LIST_INCOMPLETE'
      if (!isKept || isInterruption(error)) throw error
      end.failure = error
    }
  }
  const printed = await context.printer.list(whatComes(), view)
  if (end.failure !== undefined) throw brokenOff(context, end.failure, shown)
  if (more !== undefined && hasMore()) reportMore(context, more.message, {reason: more.reason, shown})
  return printed
}

/** A list that is read again and again: that there is more is its first line, which no window cuts off. */
export function watchedPages(context: Context, walk: () => PagedItems, view: ListView, more: MoreToSay) {
  let hasMore = false
  let isTold = context.outputOptions.format === 'table'
  async function* read(): AsyncGenerator<unknown> {
    const paged = walk()
    let shown = 0
    for await (const item of paged.items) {
      shown++
      yield item
    }
    hasMore = paged.hasMore()
    if (hasMore && !isTold) reportMore(context, more.message, {reason: more.reason, shown})
    isTold ||= hasMore
  }
  const watchView: ListView = async (items, viewContext) => {
    const text = await view(items, viewContext)
    if (!hasMore) return text
    return stack(sentence(`The first ${items.length}. ${more.message}`, viewContext), text)
  }
  return {read, watchView}
}

function brokenOff(context: Context, failure: Failure, shown: number): Failure {
  const usual: {complete: boolean; reason: IncompleteReason} = {complete: false, reason: 'FAILED'}
  const data = {...usual, ...failure.details.data, shown}
  const items = shown === 1 ? 'the first item' : `the first ${shown} items`
  const {complete, reason} = data
  context.printer.fact(`The list is not whole: it has ${shown === 0 ? 'no item' : items}.`, {
    code: 'LIST_INCOMPLETE',
    complete,
    reason,
    shown,
  })
  return failure.with({data})
}
