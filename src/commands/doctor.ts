import {BaseCommand} from '../cli/base-command.ts'
import {diagnose, diagnosisFailure, doctorFlags} from './doctor/shared/diagnose.ts'
import {doctorView} from './doctor/shared/view.ts'

export default class Doctor extends BaseCommand {
  static override summary = 'Check this machine, the profile and the connection to the service.'
  static override description =
    'Checks the runtime, the folders and their modes, disk space, the keyring, the profile, DNS, proxy, connection, TLS, clock, authentication, latency, rate limit, journal, audit trail and terminal, and says what to do about each problem. Sends six read requests. Prints no secrets, but names the audit user and hosts: see the example for a ticket. Exits with the code of the first problem, or with 0 if there are only warnings.'
  static override examples = [
    '<%= config.bin %> doctor',
    {
      description: 'For a script',
      command: `<%= config.bin %> doctor --json --query "checks[?state=='problem'].[id, message]"`,
    },
    {
      description: 'For a ticket, without names and hosts',
      command: '<%= config.bin %> doctor --json --query "checks[].[id, state]"',
    },
    {
      description: 'Repair the modes of folders and remove stale files',
      command: '<%= config.bin %> doctor --fix',
    },
  ]
  static override flags = doctorFlags

  async run() {
    const {flags} = await this.parse(Doctor)
    const diagnosis = await diagnose(this.context, flags)
    await this.context.printer.data(diagnosis, doctorView)
    const failure = diagnosisFailure(diagnosis)
    if (failure) throw failure
    return diagnosis
  }
}
