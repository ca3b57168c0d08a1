// How often the sandbox asks its database.
import pg from 'pg'
import {expect, onTestFinished, test} from 'vitest'
import {openStore} from '../../helpers/store.ts'

/** Counts the statements that are sent to one table. */
function countStatements(table: string): () => number {
  const prototype: {query: (...parameters: unknown[]) => unknown} = pg.Client.prototype as never
  const {query} = prototype
  let count = 0
  prototype.query = function (this: unknown, ...parameters: unknown[]) {
    if (JSON.stringify(parameters[0]).includes(table)) count++
    return query.call(this, ...parameters)
  }
  onTestFinished(() => {
    prototype.query = query
  })
  return () => count
}

test('a row that was changed is not read again, until another process writes', async () => {
  const [store, other] = [await openStore('statements'), await openStore('statements')]
  const add = (to: typeof store, fails = false) =>
    to.transaction(async tx => {
      const next = ((await tx.sequences.get('one'))?.next ?? 0) + 1
      await tx.sequences.put({id: 'one', next})
      if (fails) throw new Error('no')
      return next
    })
  expect([await add(store), await add(store)]).toEqual([1, 2])
  const statements = countStatements('cardctl.sequences')
  expect([await add(store), await add(store), await add(store)]).toEqual([3, 4, 5])
  expect(statements(), 'one write each').toBe(3)
  expect(await Promise.allSettled([add(store), add(store, true), add(store)])).toMatchObject([
    {value: 6},
    {status: 'rejected'},
    {value: 7},
  ])
  expect([await add(other), await add(store), await add(other), await add(store)]).toEqual([8, 9, 10, 11])
  await Promise.all([store.close(), other.close()])
})
