import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {probeProfile} from './shared/probe.ts'
import {probeView} from './shared/views.ts'

export default class ProfilesTest extends BaseCommand {
  static override summary = 'Test the base URL and credentials of a profile with one read.'
  static override examples = [
    '<%= config.bin %> profiles test sandbox',
    {
      description: 'In another terminal: a service on this machine',
      command: '<%= config.bin %> sandbox serve --port 8480',
    },
    '<%= config.bin %> profiles add served --kind sandbox --base-url http://127.0.0.1:8480 --auth none',
    '<%= config.bin %> profiles test served',
  ]
  static override args = {name: requiredArg('Name of the profile')}

  async run() {
    const {args} = await this.parse(ProfilesTest)
    const context = this.context.withProfile(args.name)
    const result = await probeProfile(context)
    await context.printer.data(result, probeView)
    return result
  }
}
