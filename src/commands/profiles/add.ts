import {newProfileArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {Failure} from '../../errors/failure.ts'
import {profileView} from '../../output/views/profile.ts'
import {askForProfile} from './shared/ask.ts'
import {noSecretYet, type ProfileFlagValues, profileFlags, toSettings} from './shared/flags.ts'

export default class ProfilesAdd extends BaseCommand {
  static override summary = 'Add a profile: a service, how to reach it, and what it may be used for.'
  static override description =
    'Asks for what is missing on a terminal. A secret is read from a hidden prompt or stdin, or named by a reference; it is kept in the keyring of the system. The new profile is not used until you choose it.'
  static override examples = [
    '<%= config.bin %> profiles add staging --kind test --base-url https://staging.example --auth bearer --secret env:STAGING_TOKEN',
    '<%= config.bin %> profiles add prod --kind live --base-url https://api.example --audit-user aino --auth basic --user ops --prefix cards=/card --prefix accounts=/account',
  ]
  static override args = {name: newProfileArg('Name of the profile')}
  static override flags = profileFlags

  async run() {
    const {args, flags} = await this.parse(ProfilesAdd)
    const complete = this.context.interactive
      ? await askForProfile(this.context, args.name, flags)
      : needFlags(flags)
    const {profiles} = this.context
    // Whatever is wrong is told before a secret is asked for.
    await profiles.checkAdd(args.name, await toSettings(complete, complete.auth, noSecretYet))
    const settings = await toSettings(complete, complete.auth, what => this.readSecretLine(what))
    const profile = await profiles.add(args.name, settings)
    await this.context.printer.data(profile, profileView)
    this.context.printer.note(
      `Try it: cardctl profiles test ${args.name} · use it: -p ${args.name}, or cardctl profiles use ${args.name}`,
    )
    return profile
  }
}

/** What is asked for on a terminal must be said by flags elsewhere. */
function needFlags(flags: ProfileFlagValues): ProfileFlagValues {
  const missing = (['kind', 'base-url'] as const).filter(name => flags[name] === undefined)
  if (missing.length === 0) return flags
  throw new Failure('USAGE', {
    message: `${missing.map(name => `--${name}`).join(' and ')} must be given where there is no terminal to ask on.`,
    hint: 'For example --kind test --base-url https://staging.example --auth bearer --secret env:TOKEN.',
  })
}
