import {authorise} from '../authorise/authorise.ts'
import {clear, clearAlone} from '../authorise/clear.ts'
import {authorisationOf, reverse} from '../authorise/reverse.ts'
import {authorisationView, clearingView} from '../authorise/views.ts'
import type {Handlers} from './handler.ts'

type Ids = 'list' | 'get' | 'create' | 'reverse' | 'clear'

export const authorisations: Pick<
  Handlers<'sandbox'>,
  `sandbox.authorisations.${Ids}` | 'sandbox.clearings.create'
> = {
  'sandbox.authorisations.list': async ({tx}, {query: {cardId}}) => {
    const found = await tx.authorisations.list({order: 'newest', ...(cardId && {where: {cardId}})})
    return Promise.all(found.map(one => authorisationView(tx, one)))
  },
  'sandbox.authorisations.get': async ({tx}, {path}) =>
    authorisationView(tx, await authorisationOf(tx, path.id)),

  'sandbox.authorisations.create': {
    across: async (call, {body}) => {
      const done = await authorise(call, body)
      return call.store.read(tx => authorisationView(tx, done))
    },
  },
  'sandbox.authorisations.reverse': {
    across: async (call, {path, body}) => {
      const done = await reverse(call, path.id, body?.replacementAmount)
      return call.store.read(tx => authorisationView(tx, done))
    },
  },
  'sandbox.authorisations.clear': async (call, {path, body}) =>
    clearingView(await clear(call, path.id, body ?? {})),
  'sandbox.clearings.create': async (call, {body}) => clearingView(await clearAlone(call, body)),
}
