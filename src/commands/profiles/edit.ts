import * as Flags from '@oclif/core/flags'
import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {refuseTokenUrl} from '../../cli/token-url.ts'
import {checkFiles, noSecretYet, profileFlags, toSettings, withSecret} from './shared/flags.ts'
import {sayMissing} from './shared/second-person-setup.ts'
import {profileView} from './shared/views.ts'

export default class ProfilesEdit extends BaseCommand {
  static override summary = 'Change settings of a profile. Other settings stay as they are.'
  static override examples = [
    '<%= config.bin %> profiles add served --kind sandbox --base-url http://127.0.0.1:8480 --auth none',
    '<%= config.bin %> profiles edit served --read-only',
    '<%= config.bin %> profiles edit served --word walleta=phonewallet',
    '<%= config.bin %> profiles edit served --unset words.walleta',
  ]
  static override args = {name: requiredArg('Name of the profile')}
  static override flags = {
    ...profileFlags,
    unset: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'SETTING',
      summary: 'Restore the default of a setting, by its dotted name. Repeatable.',
    }),
  }

  static override guide: Guide = {
    needs: [{anyOf: [...Object.keys(profileFlags), 'unset'].map(name => `--${name}`), several: true}],
  }

  async run() {
    const {args, flags} = await this.parse(ProfilesEdit)
    const {profiles} = this.context.service
    const before = await profiles.show(args.name)
    const {unset = []} = flags
    const given = toSettings(flags)
    const type = given.auth?.type ?? before.auth.type
    await checkFiles(given)
    // Report mistakes before asking for a secret.
    const checked = await profiles.checkEdit(args.name, {
      set: await withSecret(given, type, flags, noSecretYet),
      unset,
    })
    await refuseTokenUrl(this.context, args.name, {...checked, dialect: undefined})
    const set = await withSecret(given, type, flags, what => this.readNewSecret(what))
    const profile = await profiles.edit(args.name, {set, unset})
    await this.context.printer.data(profile, profileView)
    sayMissing(this.context, profile)
    return profile
  }
}
