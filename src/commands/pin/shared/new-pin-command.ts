import * as Flags from '@oclif/core/flags'
import {type CardOfPin, pinProblem} from '../../../card-crypto/index.ts'
import {idFlag} from '../../../cli/arguments.ts'
import {type FlagValues, writeFlags} from '../../../cli/flags.ts'
import {operationCommand, type StepFlags} from '../../../cli/operation-command.ts'
import {reportNoRead} from '../../../cli/show-change.ts'
import {operations} from '../../../contract/operations.gen.ts'
import type {OperationId} from '../../../contract/types.ts'
import {advice} from '../../../errors/advice.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {numberAt, textAt} from '../../../output/fields.ts'
import type {Secret} from '../../../sensitive/secret.ts'
import {openExchange, refuseOnLive, setPin} from './exchange.ts'
import {mgf1Flag, pinVersionFlags} from './flags.ts'
import {readNewPin} from './read-new-pin.ts'

export const PIN_SETS = ['pin.set.v3', 'pin.set.v2'] as const

const DEVICE_WAY = advice`Let the device build the block: ${cardctl('pin', 'tzpk', '--control-id', {value: 'env:NAME'}, '--public-key', {value: 'FILE'})}, then ${cardctl('pin', 'set', '--control-id', {value: 'env:NAME'}, '--pin-block-stdin')}`

export const newPinFlags = {
  plastic: idFlag({
    of: 'a plastic',
    summary: 'Id of the plastic (default: the active plastic with the highest sequence number).',
  }),
  'allow-weak': Flags.boolean({summary: 'Allow a PIN that is easy to guess. Sandbox profiles only.'}),
  ...mgf1Flag,
  ...pinVersionFlags,
  ...writeFlags,
}

/** Base of the commands that set a new PIN. `pin set` claims the operations. */
export abstract class NewPinCommand extends operationCommand(...PIN_SETS) {
  static override readonly claims: readonly OperationId[] = []

  /** Where a PIN may be set from here, the card; asks for its id if there is none. @throws Failure GATE_REFUSED */
  protected async cardForPin(card: string | undefined): Promise<string> {
    refuseOnLive(await this.client(), DEVICE_WAY)
    return card ?? (await this.ask('Id of the card'))
  }

  /** Reads a new PIN and sets it. Undefined if only the first request was shown. */
  protected async setNewPin(card: string, flags: StepFlags & FlagValues<typeof newPinFlags>) {
    const client = await this.client()
    const version = flags['api-version']
    if (await this.isPreview([{operation: 'cards.plastics.v3', path: {id: card}}], flags)) return undefined
    await client.gate(`pin.set.${version}`)
    if (flags['show-change']) reportNoRead(this.context, operations[`pin.set.${version}`])
    this.warnIfDeprecated(operations[`pin.set.${version}`])
    const exchange = await openExchange(
      {client, version, mgf1: flags.mgf1, options: {uncheckedInput: flags['no-check-input']}},
      card,
      flags.plastic,
    )
    const pin = await this.readPin(card, flags['allow-weak'] && client.target.kind === 'sandbox')
    try {
      await setPin(exchange, pin)
    } finally {
      pin.wipe()
    }
    return {cardId: card, plasticId: exchange.plastic.id}
  }

  private async readPin(cardId: string, allowWeak: boolean): Promise<Secret<Buffer>> {
    const client = await this.client()
    const found = await client.call({operation: 'cards.get.v4', path: {id: cardId}})
    const [year, month] = [numberAt(found, 'expiration.year'), numberAt(found, 'expiration.month')]
    const card: CardOfPin = {
      lastFour: textAt(found, 'maskedCardNumber').slice(-4) || undefined,
      expiry: year === undefined || month === undefined ? undefined : {year, month},
    }
    return readNewPin({
      read: what => this.readSecretLine(what),
      problemOf: pin => {
        const problem = pinProblem(pin, card)
        return problem && !(allowWeak && problem.kind === 'weak') ? problem.message : undefined
      },
      person: this.context.surroundings.stdin.isTTY === true,
      tell: problem => this.context.printer.warn(problem),
    })
  }
}
