import {sizeOf} from '../../../output/changes.ts'
import {numberAt} from '../../../output/fields.ts'
import {table} from '../../../output/table.ts'
import type {ListView} from '../../../output/view.ts'

/** What cardctl keeps on this machine. */
export const dataWhereView: ListView = (files, context) =>
  table(
    'file',
    [
      {title: 'File', value: 'path', fit: 'wrap', least: 12},
      {title: 'Size', value: file => sizeOf(numberAt(file, 'bytes') ?? 0), align: 'right', fit: 'keep'},
      {title: 'Content', value: 'holds', fit: 'wrap', least: 12},
      {title: 'Kept', value: 'kept', fit: 'wrap', least: 10},
      {title: 'Remove', value: 'remove', fit: 'wrap', least: 10},
    ],
    files,
    context,
    'Nothing is kept yet.',
  )
