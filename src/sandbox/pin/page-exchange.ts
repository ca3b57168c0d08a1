import {pinProblem, Secret} from '../../card-crypto/index.ts'
import {clockOffset} from '../clock.ts'
import {badRequest, conflict, notFound} from '../problems.ts'
import type {Service} from '../service.ts'
import type {PinControl} from '../state/pin-control.ts'
import type {Transaction} from '../store/store.ts'
import {tokenDigest} from '../token-digest.ts'
import {consume, liveControl} from './control.ts'
import {cardOfControl} from './exchange.ts'

/** The PIN for the page, and uses the control id up; undefined when it is for setting one, and it stays good. */
export function pinOnPage(service: Service, controlId: string): Promise<Secret | undefined> {
  return service.store.transaction(async tx => {
    const scope = (await tx.pinControls.get(tokenDigest(controlId)))?.scope
    if (scope === undefined) throw notFound('control id')
    const control = await live(service, tx, controlId, scope)
    if (scope === 'SET_PIN') return undefined
    const card = await cardOfControl(tx, control)
    if (card.pin === null) throw conflict('no-pin', 'The card holds no PIN.')
    await consume(tx, control)
    return (await service.sealer(tx)).open(card.pin)
  })
}

/** Sets the PIN that was typed into the page, and uses the control id up. */
export function setPinOnPage(service: Service, controlId: string, pin: string): Promise<void> {
  return service.store.transaction(async tx => {
    const control = await live(service, tx, controlId, 'SET_PIN')
    const card = await cardOfControl(tx, control)
    if (pinProblem(Buffer.from(pin))?.kind === 'malformed') {
      throw badRequest('invalid-pin', 'A PIN has 4 to 12 digits.')
    }
    const sealed = (await service.sealer(tx)).seal(new Secret(pin))
    const pinAttempts = {...card.pinAttempts, counter: 0}
    await tx.cards.put({...card, pin: sealed, pinStatus: 'S', pinAttempts})
    await consume(tx, control)
  })
}

async function live(
  service: Service,
  tx: Transaction,
  controlId: string,
  scope: PinControl['scope'],
): Promise<PinControl> {
  return liveControl(tx, controlId, scope, service.now() + (await clockOffset(tx)))
}
