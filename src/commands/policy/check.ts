import {optionalArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {exitOf} from '../../errors/registry.ts'
import {chosenView} from '../../output/generic.ts'
import {type CheckedPolicy, checkedFile} from './shared/checked-file.ts'
import {policyInForce} from './shared/policy-in-force.ts'

export default class PolicyCheck extends BaseCommand {
  static override summary = 'Check a policy file, or the policy of this machine.'
  static override description =
    `Reports all problems by line and column and exits with ${exitOf('INPUT_INVALID')}. Without a file, checks the policy of this machine with its owner and mode, as every command does before it sends a request.`
  static override examples = ['<%= config.bin %> policy check', '<%= config.bin %> policy check policy.yaml']
  static override args = {file: optionalArg('Policy file, YAML or JSON')}

  async run() {
    const {args} = await this.parse(PolicyCheck)
    const checked: CheckedPolicy =
      args.file === undefined ? await this.inForce() : await checkedFile(args.file, this.context.surroundings)
    await this.context.printer.data(checked, chosenView(Object.keys(checked)))
    return checked
  }

  private async inForce(): Promise<CheckedPolicy> {
    const policy = await policyInForce(this.context)
    if (policy === undefined) return {file: null, profiles: 0}
    return {file: policy.path, owner: policy.owner, profiles: Object.keys(policy.profiles).length}
  }
}
