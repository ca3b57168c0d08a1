import {idFlag, optionalIdArg} from '../../cli/arguments.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {confirmReveal, reveal, revealFlags} from '../../cli/reveal.ts'
import {operations} from '../../contract/operations.gen.ts'
import {advice} from '../../errors/advice.ts'
import {Failure} from '../../errors/failure.ts'
import {cardctl} from '../../errors/suggested-command.ts'
import {openExchange, refuseOnLive, viewPin} from './shared/exchange.ts'
import {
  controlIdFlag,
  mgf1Flag,
  pinVersionFlags,
  publicKeyFlag,
  readControlId,
  readDeviceKey,
} from './shared/flags.ts'
import {pinAnswerView, pinView} from './shared/views.ts'

const DEVICE_WAY = advice`Let the device make the key pair. This prints the response unchanged: ${cardctl('pin', 'view', '--control-id', {value: 'env:NAME'}, '--public-key', {value: 'FILE'})}`

export default class PinView extends operationCommand('pin.view.v3', 'pin.view.v2') {
  static override summary = "Show the PIN of a card, or print it encrypted for the cardholder's device."
  static override examples = [
    '<%= config.bin %> pin view 3001',
    '<%= config.bin %> pin view 3001 --reveal',
    {
      description: 'For the device of the cardholder: the PIN stays encrypted',
      command:
        'export CONTROL=$(<%= config.bin %> pincontrol create 7001 --scope view --query id -o csv --no-header)',
    },
    '<%= config.bin %> pin view --control-id env:CONTROL --public-key device.pem -o json',
  ]
  static override args = {card: optionalIdArg('the card', {more: ' (not on live profiles)'})}
  static override flags = {
    ...revealFlags('the PIN'),
    plastic: idFlag({
      of: 'a plastic',
      summary: 'Id of the plastic (default: the active plastic with the highest sequence number).',
    }),
    ...controlIdFlag,
    ...publicKeyFlag,
    ...mgf1Flag,
    ...pinVersionFlags,
  }

  static override guide: Guide = {needs: [{anyOf: ['card'], or: ['--control-id', '--public-key']}]}

  async run() {
    const {args, flags} = await this.parse(PinView)
    const {'control-id': reference, 'public-key': file, 'api-version': version} = flags
    if (reference !== undefined || file !== undefined) {
      if (reference === undefined || file === undefined || args.card !== undefined) {
        throw new Failure('USAGE', {message: 'For a device give --control-id and --public-key, and no card.'})
      }
      const controlId = await readControlId(this.context, reference)
      const body = {controlId, publicKey: await readDeviceKey(this.context, file, version)}
      return this.execute({operation: `pin.view.${version}`, body}, flags, pinAnswerView)
    }
    const client = await this.client()
    refuseOnLive(client, DEVICE_WAY)
    const card = args.card ?? ''
    const path = {id: card}
    if (await this.isPreview([{operation: 'cards.plastics.v3', path}], flags)) return undefined
    await client.gate(`pin.view.${version}`)
    this.warnIfDeprecated(operations[`pin.view.${version}`])
    const exchange = await openExchange(
      {client, version, mgf1: flags.mgf1, options: {uncheckedInput: flags['no-check-input']}},
      card,
      flags.plastic,
    )
    const {plastic, resources} = exchange
    // On a terminal a PIN that stays hidden would be a disclosure for nothing.
    const shows =
      flags.reveal || (this.context.interactive && this.context.surroundings.stdout.isTTY === true)
    if (shows) await confirmReveal(this.context, {what: 'the PIN', card}, flags)
    const pin = await viewPin(exchange)
    try {
      const shown = shows ? pin.open().toString('latin1') : '•'.repeat(pin.open().length)
      const result = {cardId: card, plasticId: plastic.id, pin: shown}
      if (shows) {
        const {keep} = flags
        const operation = `pin.view.${version}`
        await reveal(this.context, {operation, resources, result, view: pinView, keep})
      } else {
        await this.context.printer.data(result, pinView)
        this.context.printer.note(
          'Hidden. --reveal shows it; the audit trail has this disclosure either way.',
        )
      }
      return result
    } finally {
      pin.wipe()
    }
  }
}
