import {resolve} from 'node:path'
import process from 'node:process'
import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../cli/base-command.ts'
import {type Installation, installationIn, releaseFile, upgradeSteps} from '../cli/installation.ts'
import {ROOT} from '../cli/package-files.ts'
import {surroundingsOf} from '../cli/surroundings.ts'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {type VerifiedRelease, verifiedRelease} from './upgrade/shared/verified-release.ts'
import {upgradeView} from './upgrade/shared/view.ts'

export default class Upgrade extends BaseCommand {
  static override summary = 'Show how to upgrade cardctl, by the way it was installed.'
  static override description =
    'Runs nothing and contacts nobody. Ask the people who maintain cardctl for you whether there is a newer version. Once you have downloaded one, --release checks its signature and the file that this installation needs, and only then says which version it is and how to install it. Profiles, journal, audit trail and sandbox stay as they are. VERSION in a command is the newer version.'
  static override examples = [
    '<%= config.bin %> upgrade',
    {
      description: 'Check what you downloaded, then show how to install it',
      command: '<%= config.bin %> upgrade --release ~/Downloads --signers cardctl-signers',
    },
    '<%= config.bin %> upgrade -o json',
  ]
  static override flags = {
    release: Flags.string({
      helpValue: 'FOLDER',
      summary: 'Folder with SHA256SUMS, SHA256SUMS.sig and the file for this installation.',
      dependsOn: ['signers'],
    }),
    signers: Flags.string({
      helpValue: 'FILE',
      summary: 'Public SSH keys of those who sign releases, got another way than the release.',
      dependsOn: ['release'],
    }),
  }

  async run() {
    const {flags} = await this.parse(Upgrade)
    const {platform} = surroundingsOf(this.config)
    const system = {platform, arch: process.arch}
    const {version} = this.config
    const installation = installationIn(resolve(ROOT), platform)
    const {release: folder, signers} = flags
    const release =
      folder === undefined || signers === undefined
        ? undefined
        : await this.verify(installation, {folder, signers, running: version})
    const result = {
      version,
      ...installation,
      ...(release === undefined ? {} : {release}),
      steps:
        release === undefined || release.age === 'newer' ? upgradeSteps(installation, system, release) : [],
    }
    await this.context.printer.data(result, upgradeView)
    return result
  }

  private verify(
    installation: Installation,
    asked: Parameters<typeof verifiedRelease>[0],
  ): Promise<VerifiedRelease> {
    const {platform, signal} = this.context.surroundings
    const nameOf = (version: string): string | undefined =>
      releaseFile(installation, {platform, arch: process.arch}, version)
    if (nameOf('') === undefined)
      throw new Failure('USAGE', {
        message: `No file of a release upgrades ${installation.folder}: ${installation.kind === 'clone' ? 'it is a clone' : 'nothing in it says how it was installed'}.`,
        hint: advice`See ${cardctl('upgrade')}`,
      })
    return verifiedRelease(asked, version => nameOf(version) ?? '', signal)
  }
}
