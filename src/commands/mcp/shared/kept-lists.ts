import {randomUUID} from 'node:crypto'
import {Failure} from '../../../errors/failure.ts'

/** Items of a list in one result. */
export const PAGE = 50
/** Lists that are kept for their further pages. */
const MOST_LISTS = 16

/** One page of a list. */
export interface ListPage {
  readonly items: readonly unknown[]
  /** The cursor of the next page. */
  readonly next?: string
}

interface KeptList {
  readonly tool: string
  readonly items: readonly unknown[]
}

/** Lists as they were read, so that their pages belong together and the service is asked once. */
export class KeptLists {
  readonly #lists = new Map<string, KeptList>()

  /** The first page; keeps the list if there are more. */
  first(tool: string, items: readonly unknown[]): ListPage {
    if (items.length <= PAGE) return {items}
    const id = randomUUID()
    this.#lists.set(id, {tool, items})
    for (const old of this.#lists.keys()) {
      if (this.#lists.size <= MOST_LISTS) break
      this.#lists.delete(old)
    }
    return page(id, items, 0)
  }

  /** @throws Failure INPUT_INVALID if the cursor is none of this tool, or its list is gone */
  next(tool: string, cursor: string): ListPage {
    const [id = '', at = ''] = cursor.split(':')
    const list = this.#lists.get(id)
    const from = Number(at)
    if (list?.tool !== tool || !/^\d{1,9}$/.test(at) || from >= list.items.length)
      throw new Failure('INPUT_INVALID', {
        message: 'The cursor is not one of this tool, or its list is no longer kept.',
        hint: `Call the tool again without a cursor. The ${MOST_LISTS} newest lists are kept.`,
        effect: 'none',
      })
    return page(id, list.items, from)
  }
}

function page(id: string, items: readonly unknown[], from: number): ListPage {
  const end = from + PAGE
  return {items: items.slice(from, end), ...(end < items.length ? {next: `${id}:${end}`} : {})}
}
