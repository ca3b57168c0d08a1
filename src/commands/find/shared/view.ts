import {textAt} from '../../../output/fields.ts'
import {table} from '../../../output/table.ts'
import type {ListView} from '../../../output/view.ts'

/** Several things that were found, each with the command that shows it. */
export const foundListView: ListView = (found, context) =>
  table(
    'result',
    [
      {title: 'Kind', value: each => textAt(each, 'kind'), fit: 'keep'},
      {title: 'Id', value: each => textAt(each, 'id'), fit: 'keep'},
      {title: 'About', value: each => textAt(each, 'about'), fit: 'wrap', least: 8},
      {title: 'To see it', value: each => textAt(each, 'command'), fit: 'wrap', least: 12},
    ],
    found,
    context,
    'Nothing was found.',
  )
