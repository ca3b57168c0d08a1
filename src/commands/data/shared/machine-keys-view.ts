import {fieldAt, textAt} from '../../../output/fields.ts'
import {table} from '../../../output/table.ts'
import type {ListView} from '../../../output/view.ts'

/** The keys of machines, that of this one first. */
export const machineKeysView: ListView = (keys, context) =>
  table(
    'key',
    [
      {title: 'Machine', value: key => textAt(key, 'machine') || 'without a name', fit: 'wrap', least: 12},
      {title: 'Key', value: 'key', fit: 'keep'},
      {
        title: 'Trusted',
        value: key => (fieldAt(key, 'isOwn') === true ? 'this machine' : 'here'),
        fit: 'keep',
      },
    ],
    keys,
    context,
  )
