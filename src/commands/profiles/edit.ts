import * as Flags from '@oclif/core/flags'
import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {Failure} from '../../errors/failure.ts'
import {profileView} from '../../output/views/profile.ts'
import {noSecretYet, profileFlags, toSettings} from './shared/flags.ts'

export default class ProfilesEdit extends BaseCommand {
  static override summary = 'Change settings of a profile; what is not named stays.'
  static override examples = [
    '<%= config.bin %> profiles edit staging --read-only',
    '<%= config.bin %> profiles edit staging --unset words.walleta',
  ]
  static override args = {name: requiredArg('Name of the profile')}
  static override flags = {
    ...profileFlags,
    unset: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'SETTING',
      summary: 'Take a setting away, by its dotted name; repeatable.',
    }),
  }

  async run() {
    const {args, flags} = await this.parse(ProfilesEdit)
    const names = [...Object.keys(profileFlags), 'unset'] as (keyof typeof flags)[]
    if (names.every(name => flags[name] === undefined)) {
      throw new Failure('USAGE', {message: 'Nothing is named that should change.'})
    }
    const before = await this.context.profiles.show(args.name)
    const {profiles} = this.context
    const auth = flags.auth ?? before.auth.type
    const unset = flags.unset ?? []
    // Whatever is wrong is told before a secret is asked for.
    await profiles.checkEdit(args.name, {set: await toSettings(flags, auth, noSecretYet), unset})
    const set = await toSettings(flags, auth, what => this.readSecretLine(what))
    const profile = await profiles.edit(args.name, {set, unset})
    await this.context.printer.data(profile, profileView)
    return profile
  }
}
