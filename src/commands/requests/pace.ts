import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import {paceView, showPace} from './shared/pace.ts'

export default class RequestsPace extends BaseCommand {
  static override summary =
    'Show the rate of a profile and a pause that its service asked for, or end the pause.'
  static override description =
    'After a 429, all runs of this user on the service wait for as long as the service asked. The journal keeps that time, so it outlives the run that got the response. --clear ends the pause: running and later runs send again, at half the rate at first. If the service still limits you, its next 429 starts a new pause.'
  static override examples = [
    '<%= config.bin %> requests pace',
    {
      description: 'The service works again, although it asked for a day',
      command: '<%= config.bin %> requests pace --clear',
    },
  ]
  static override flags = {
    clear: Flags.boolean({summary: 'End the pause.'}),
  }

  async run() {
    const {flags} = await this.parse(RequestsPace)
    const pace = await showPace(this.context, flags)
    await this.context.printer.data(pace, paceView)
    return pace
  }
}
