import {resolve} from 'node:path'
import process from 'node:process'
import {BaseCommand} from '../cli/base-command.ts'
import {installationIn, upgradeSteps} from '../cli/installation.ts'
import {ROOT} from '../cli/package-files.ts'
import {surroundingsOf} from '../cli/surroundings.ts'
import {upgradeView} from './upgrade/shared/view.ts'

export default class Upgrade extends BaseCommand {
  static override summary = 'Show how to upgrade cardctl, by the way it was installed.'
  static override description =
    'Runs nothing and contacts nobody. Ask the people who maintain cardctl for you whether there is a newer version. Profiles, journal, audit trail and sandbox stay as they are. VERSION in a command is the newer version.'
  static override examples = ['<%= config.bin %> upgrade', '<%= config.bin %> upgrade -o json']

  async run() {
    await this.parse(Upgrade)
    const {platform} = surroundingsOf(this.config)
    const {version} = this.config
    const installation = installationIn(resolve(ROOT), platform)
    const result = {
      version,
      ...installation,
      steps: upgradeSteps(installation, {platform, arch: process.arch}),
    }
    await this.context.printer.data(result, upgradeView)
    return result
  }
}
