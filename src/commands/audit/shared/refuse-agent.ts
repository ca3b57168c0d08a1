import type {Context} from '../../../cli/context.ts'
import {Failure} from '../../../errors/failure.ts'

/** What an agent did must not go by its own hand. @throws Failure GATE_REFUSED */
export function refuseAgent({caller, interactive}: Context, what: string): void {
  if (caller.kind !== 'agent' || interactive) return
  throw new Failure('GATE_REFUSED', {
    message: `An agent never ${what}.`,
    hint: 'A person does it in a terminal.',
    effect: 'none',
  })
}
