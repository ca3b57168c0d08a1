import {batchView, itemView, statusView} from '../a2a/batch-view.ts'
import {createBatch} from '../a2a/create-batch.ts'
import {batchOf, batchPage, itemPage} from '../a2a/pages.ts'
import type {Handlers} from './handler.ts'

export const a2a: Handlers<'a2a'> = {
  'a2a.create.v1': async (call, {body}) => batchView(await createBatch(call, body)),

  'a2a.list.v1': async ({tx}, {query}) => {
    const {rows, next} = await batchPage(tx, query.size, query.exclusiveStartKey)
    return {size: rows.length, items: rows.map(statusView), ...(next && {lastEvaluatedKey: next})}
  },

  'a2a.get.v1': async ({tx}, {path, query}) => {
    const batch = await batchOf(tx, path.id)
    const {rows, next} = await itemPage(tx, batch, query.size, query.exclusiveStartKey)
    const transfers = {
      items: rows.map(itemView),
      size: rows.length,
      ...(next && {lastEvaluatedKey: next}),
    }
    return {...statusView(batch), transfers}
  },

  'a2a.status.v1': async ({tx}, {path}) => statusView(await batchOf(tx, path.id)),
}
