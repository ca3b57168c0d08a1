import {moveClock, showClock} from '../control/clock-control.ts'
import {addFault, clearFaults} from '../control/fault-control.ts'
import {reset} from '../control/reset.ts'
import {stateKinds} from '../control/state-kinds.ts'
import {notFound} from '../problems.ts'
import type {Handlers} from './handler.ts'
import {authorisations} from './sandbox-authorisations.ts'

export const sandbox: Handlers<'sandbox'> = {
  ...authorisations,

  'sandbox.info': {
    across: async ({now}) => {
      const {info} = await import('../control/info.ts')
      return info(now)
    },
  },
  'sandbox.reset': call => reset(call),
  'sandbox.clock.get': call => showClock(call),
  'sandbox.clock.advance': (call, {body}) => moveClock(call, body.advanceMs),

  'sandbox.state.list': ({tx, now}, {path}) => stateKinds[path.kind].list(tx, now),
  'sandbox.state.get': async ({tx, now}, {path}) => {
    const found = await stateKinds[path.kind].get(tx, path.id, now)
    if (found === undefined) throw notFound(path.kind)
    return found
  },
  'sandbox.state.set': {
    across: async (call, {path, body}) => {
      const {setState} = await import('../control/set-state.ts')
      return setState(call, path.kind, path.id, body)
    },
  },

  'sandbox.faults.list': ({tx}) => tx.faults.list(),
  'sandbox.faults.add': (call, {body}) => addFault(call, body),
  'sandbox.faults.clear': call => clearFaults(call),
}
