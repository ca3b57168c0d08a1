import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import type {Program} from '../../cli/program.ts'
import {chosenView} from '../../output/generic.ts'
import {testLine} from './shared/test-line.ts'

export default class PolicyTest extends BaseCommand {
  static override summary = 'Show what the policy decides about a command, and by which line.'
  static override description =
    'Prepares the command as if it were run, and sends nothing. Shows the decision about its first request, or about the transfers of a2a create. Add --as to the command to test it for a job or an agent. For a write of an agent to a live profile, it is the decision about its proposal. The checks of the profile are not part of it.'
  static override examples = [
    `<%= config.bin %> policy test "accounts patch 2001 --type credit -F creditLimit=6000"`,
    `<%= config.bin %> policy test "cards get 3001 --as agent"`,
  ]
  static override args = {command: requiredArg('Command line in quotation marks')}

  /** Nothing was tried. */
  protected override get recordsRefusals(): boolean {
    return false
  }

  async run() {
    const {args, flags} = await this.parse(PolicyTest)
    const {surroundings} = this.context
    // The profile of this command is that of the tested one, unless that one names its own.
    const env = {
      ...surroundings.env,
      ...(flags.profile === undefined ? {} : {CARDCTL_PROFILE: flags.profile}),
    }
    const verdict = await testLine(args.command, {...surroundings, env}, (this.config as Program).listed)
    await this.context.printer.data(verdict, chosenView(COLUMNS))
    return verdict
  }
}

const COLUMNS = ['allowed', 'why', 'line', 'profile', 'caller', 'effects', 'sums', 'approvers', 'missing']
