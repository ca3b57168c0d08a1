import {BaseCommand} from '../../cli/base-command.ts'
import {chosenView} from '../../output/generic.ts'
import {policyInForce} from './shared/policy-in-force.ts'
import {linesOf} from './shared/policy-lines.ts'

export default class PolicyShow extends BaseCommand {
  static override summary = 'Show the policy of this machine, line by line.'
  static override description =
    'The policy is a file of another user, /etc/cardctl/policy.yaml or policy.json, and says what cardctl may send to live services. What has no line is refused. More: cardctl help docs/policy.md.'
  static override examples = ['<%= config.bin %> policy show']

  async run() {
    await this.parse(PolicyShow)
    const policy = await policyInForce(this.context)
    const lines = policy === undefined ? [] : linesOf(policy)
    await this.context.printer.list(lines, chosenView(['profile', 'caller', 'what', 'rule', 'line']))
    return lines
  }
}
