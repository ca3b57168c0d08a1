import * as Flags from '@oclif/core/flags'
import {optionalIdArg} from '../../cli/arguments.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {Failure} from '../../errors/failure.ts'
import {controlIdFlag, readControlId} from './shared/flags.ts'
import {NewPinCommand, newPinFlags, PIN_SETS} from './shared/new-pin-command.ts'
import {pinSetView} from './shared/views.ts'

export default class PinSet extends NewPinCommand {
  static override readonly claims = PIN_SETS
  static override summary = "Set the PIN of a card, or forward a PIN block from the cardholder's device."
  static override examples = [
    {
      description: 'Prompts twice without echo, or reads one line from stdin',
      command: '<%= config.bin %> pin set 3004',
    },
    `printf '8253\\n' | <%= config.bin %> pin set 3004 --yes -p sandbox`,
    {
      description: 'A control id is valid for 30 seconds',
      command:
        'export CONTROL=$(<%= config.bin %> pincontrol create 7001 --scope set --query id -o csv --no-header)',
    },
    {
      description: 'A PIN block from the device of the cardholder: see cardctl help pin-device',
      command:
        '<%= config.bin %> pin set --control-id env:CONTROL --pin-block-stdin --dry-run < pin-block.b64',
    },
  ]
  static override args = {card: optionalIdArg('the card', {more: ' (not on live profiles)'})}
  static override flags = {
    ...newPinFlags,
    'pin-block-stdin': Flags.boolean({
      summary: 'Read an encrypted PIN block of the device, in base64, from stdin.',
    }),
    ...controlIdFlag,
  }

  static override secretInput = 'the new PIN, or with --pin-block-stdin the PIN block'
  static override guide: Guide = {needs: [{anyOf: ['card'], or: ['--control-id', '--pin-block-stdin']}]}

  async run() {
    const {args, flags} = await this.parse(PinSet)
    const {'control-id': reference, 'api-version': version} = flags
    if (reference !== undefined || flags['pin-block-stdin']) {
      if (reference === undefined || !flags['pin-block-stdin'] || args.card !== undefined) {
        throw new Failure('USAGE', {
          message: 'For a device give --control-id and --pin-block-stdin, and no card.',
        })
      }
      const controlId = await readControlId(this.context, reference)
      const block = await this.readSecretLine('PIN block')
      const body = {controlId, pinBlock: block.open().toString('latin1')}
      return this.execute({operation: `pin.set.${version}`, body}, flags, pinSetView)
    }
    const result = await this.setNewPin(await this.cardForPin(args.card), flags)
    if (result !== undefined) await this.context.printer.data(result, pinSetView)
    return result
  }
}
