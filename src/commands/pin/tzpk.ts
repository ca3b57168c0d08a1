import type {Guide} from '../../cli/guided/guide.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {Failure} from '../../errors/failure.ts'
import {controlIdFlag, pinVersionFlags, publicKeyFlag, readControlId, readDeviceKey} from './shared/flags.ts'
import {pinAnswerView} from './shared/views.ts'

export default class PinTzpk extends operationCommand('pin.tzpk.v3', 'pin.tzpk.v2') {
  static override summary = "Get the tzpk for a new PIN, encrypted for the cardholder's device."
  static override examples = [
    {
      description: 'A control id is valid for 30 seconds',
      command:
        'export CONTROL=$(<%= config.bin %> pincontrol create 7001 --scope set --query id -o csv --no-header)',
    },
    '<%= config.bin %> pin tzpk --control-id env:CONTROL --public-key device.pem -o json',
  ]
  static override flags = {...controlIdFlag, ...publicKeyFlag, ...pinVersionFlags}

  static override guide: Guide = {needs: [{anyOf: ['--control-id']}, {anyOf: ['--public-key']}]}

  async run() {
    const {flags} = await this.parse(PinTzpk)
    const {'control-id': reference, 'public-key': file, 'api-version': version} = flags
    if (reference === undefined || file === undefined) {
      throw new Failure('USAGE', {message: '--control-id and --public-key are both needed.'})
    }
    const controlId = await readControlId(this.context, reference)
    const body = {controlId, publicKey: await readDeviceKey(this.context, file, version)}
    return this.execute({operation: `pin.tzpk.${version}`, body}, flags, pinAnswerView)
  }
}
