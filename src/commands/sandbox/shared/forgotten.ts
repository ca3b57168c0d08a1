import type {Context} from '../../../cli/context.ts'

/**
 * Records that the sandbox has another state, so that what was sent before doesn't look as if it were there.
 *
 * @param since what the new state still has, ms since 1970.
 */
export async function noteForgotten(context: Context, how: string, since?: number): Promise<void> {
  if (!(await context.stores.hasJournal())) return
  using journal = await context.stores.journal()
  journal.noteForgotten(how, since)
}
