import {newProfileArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {refuseTokenUrl} from '../../cli/token-url.ts'
import {cardctl} from '../../errors/suggested-command.ts'
import {askForProfile} from './shared/ask.ts'
import {checkFiles, needAddress, noSecretYet, profileFlags, toSettings, withSecret} from './shared/flags.ts'
import {sayMissing} from './shared/second-person-setup.ts'
import {profileView} from './shared/views.ts'

export default class ProfilesAdd extends BaseCommand {
  static override summary = 'Add a profile for a service.'
  static override description =
    'Asks for missing settings on a terminal. Type a secret at the hidden prompt, write it to stdin, or give a reference to it. The keyring of the system stores it. Adding a profile does not select it.'
  static override examples = [
    '<%= config.bin %> profiles add staging --kind test --base-url https://staging.example --auth bearer --secret env:STAGING_TOKEN',
    '<%= config.bin %> profiles add prod --kind live --base-url https://api.example --audit-user aino --auth basic --user ops --prefix cards=/card --prefix accounts=/account',
  ]
  static override args = {name: newProfileArg('Name of the profile')}
  static override flags = profileFlags

  async run() {
    const {args, flags} = await this.parse(ProfilesAdd)
    const {interactive, printer} = this.context
    const {profiles} = this.context.service
    const given = toSettings(flags)
    const settings = interactive ? await askForProfile(this.context, args.name, given) : needAddress(given)
    const type = settings.auth?.type
    await checkFiles(settings)
    // Report mistakes before asking for a secret.
    const checked = await profiles.checkAdd(args.name, await withSecret(settings, type, flags, noSecretYet))
    await refuseTokenUrl(this.context, args.name, {...checked, dialect: undefined})
    const complete = await withSecret(settings, type, flags, what => this.readNewSecret(what))
    const profile = await profiles.add(args.name, complete)
    await printer.data(profile, profileView)
    sayMissing(this.context, profile)
    printer.note(
      `Try it: ${cardctl('profiles', 'test', {value: args.name})} · use it: -p ${args.name}, or ${cardctl('profiles', 'use', {value: args.name})}`,
    )
    return profile
  }
}
