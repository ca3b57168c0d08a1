import * as Flags from '@oclif/core/flags'
import {type CardOfPin, pinProblem} from '../../card-crypto/index.ts'
import {idFlag, optionalArg} from '../../cli/arguments.ts'
import {writeFlags} from '../../cli/flags.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {reportNoRead} from '../../cli/show-change.ts'
import {operations} from '../../contract/operations.gen.ts'
import {Failure} from '../../errors/failure.ts'
import {numberAt, textAt} from '../../output/fields.ts'
import {pinSetView} from '../../output/views/pin.ts'
import type {Secret} from '../../sensitive/secret.ts'
import {openExchange, refuseOnLive, setPin} from './shared/exchange.ts'
import {controlIdFlag, mgf1Flag, pinVersionFlags} from './shared/flags.ts'
import {readNewPin} from './shared/read-new-pin.ts'

const DEVICE_WAY = 'Let the device build the block: pin tzpk, then pin set --control-id ID --pin-block-stdin.'

export default class PinSet extends operationCommand('pin.set.v3', 'pin.set.v2') {
  static override summary = "Set the PIN of a card, or forward a PIN block from the cardholder's device."
  static override examples = [
    {
      description: 'Prompts twice without echo, or reads one line from stdin',
      command: '<%= config.bin %> pin set 3004',
    },
    'device-block | <%= config.bin %> pin set --control-id ID --pin-block-stdin',
  ]
  static override args = {card: optionalArg('Id of the card (not on live profiles)')}
  static override flags = {
    plastic: idFlag({
      summary: 'Id of the plastic (default: the active plastic with the highest sequence number).',
    }),
    'allow-weak': Flags.boolean({summary: 'Allow a PIN that is easy to guess. Sandbox profiles only.'}),
    'pin-block-stdin': Flags.boolean({
      summary: 'Read an encrypted PIN block of the device, in base64, from stdin.',
    }),
    ...controlIdFlag,
    ...mgf1Flag,
    ...pinVersionFlags,
    ...writeFlags,
  }

  async run() {
    const {args, flags} = await this.parse(PinSet)
    const {'control-id': controlId, 'api-version': version} = flags
    if (controlId !== undefined || flags['pin-block-stdin']) {
      if (controlId === undefined || !flags['pin-block-stdin'] || args.card !== undefined) {
        throw new Failure('USAGE', {
          message: 'For a device give --control-id and --pin-block-stdin, and no card.',
        })
      }
      const block = await this.readSecretLine('PIN block')
      const body = {controlId, pinBlock: block.open().toString('latin1')}
      return this.execute({operation: `pin.set.${version}`, body}, flags, pinSetView)
    }
    const client = await this.client()
    refuseOnLive(client, DEVICE_WAY)
    const card = args.card ?? (await this.ask('Id of the card'))
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
    const result = {cardId: card, plasticId: exchange.plastic.id}
    await this.context.printer.data(result, pinSetView)
    return result
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
