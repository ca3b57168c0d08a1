import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {placeOfProfile} from '../../cli/chosen-service.ts'
import {confirm} from '../../cli/confirm.ts'
import {removeContractsOf} from '../x/shared/keep.ts'

export default class ProfilesRemove extends BaseCommand {
  static override summary = 'Remove a profile, its stored secrets and its imported contracts.'
  static override examples = [
    '<%= config.bin %> profiles add served --kind sandbox --base-url http://127.0.0.1:8480 --auth none',
    '<%= config.bin %> profiles remove served --yes',
  ]
  static override args = {name: requiredArg('Name of the profile')}

  async run() {
    const {args} = await this.parse(ProfilesRemove)
    const {profiles} = this.context.service
    await profiles.checkRemovable(args.name)
    const profile = (await profiles.list()).find(({name}) => name === args.name)
    // Of a live one, whose rules go with it, more is asked when it is removed.
    if (profile?.kind !== 'live')
      await confirm(this.context, {
        place: placeOfProfile(args.name, profile),
        action: `remove the profile ${args.name} and the secrets kept for it`,
        consequence: "This can't be undone. Nothing changes at the service, and its journal stays.",
      })
    await this.context.service.profiles.remove(args.name)
    // A new profile with this name must not inherit the imported contracts.
    await removeContractsOf(this.context, args.name)
    this.context.printer.note(`Profile ${args.name} removed.`)
  }
}
