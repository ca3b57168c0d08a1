import {type Column, table} from '../../../output/table.ts'
import type {ListView} from '../../../output/view.ts'

/** A command is never cut, so that it can be copied. The request is left out before the summary gets too narrow. */
const columns: readonly Column<unknown>[] = [
  {title: 'command', value: 'command', fit: 'keep'},
  {title: 'request', value: 'request', spare: 1, ease: 24},
  {title: 'effect', value: 'effect', fit: 'keep'},
  {title: 'summary', value: 'summary', fit: 'wrap', least: 12, ease: 20},
]

/** The operations of a tag of an imported contract. */
export const operationsView: ListView = (items, context) => table('operation', columns, items, context)
