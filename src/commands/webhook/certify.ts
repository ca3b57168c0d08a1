import {BaseCommand} from '../../cli/base-command.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {exitOf} from '../../errors/registry.ts'
import {certificateFailure, certifyEndpoint, certifyFlags, printCertificate} from './shared/certify.ts'
import {verifyCertificate} from './shared/verify-certificate.ts'

export default class WebhookCertify extends BaseCommand {
  static override summary = 'Check all that an endpoint must do, and write a certificate of it.'
  static override description =
    `Checks what an endpoint holds, repeats, restarts, dropped connections, failed warm-ups and wrong order, with calls written by hand and generated ones; then runs all shipped suites, and measures the deadline over 10,000 calls. What cannot be checked is reported as not checked, never as passed: without --restart there is no restart. Without --probe, holds are told by what a card can still pay. Each check says whether it rests on the outline of the service, on known facts or on a decision of cardctl. Use a test instance: the calls leave holds behind.\n\nExit codes: 0 if nothing failed and all was checked that you asked for (passed, or limited if checks need a flag that you did not pass); ${exitOf('CERTIFICATE_INCOMPLETE')} if something that you asked for could not be checked (incomplete); ${exitOf('EXPECTATION_FAILED')} if a check failed; ${exitOf('CONNECTION_FAILED')} if nobody answers the first call.`
  static override examples = [
    {
      description: 'In another terminal: your endpoint, or this one',
      command: '<%= config.bin %> webhook serve --port 8484 --strict',
    },
    {
      description: 'Fewer calls are quicker, but show no 99.9th percentile',
      command: '<%= config.bin %> webhook certify --to http://127.0.0.1:8484 --calls 200',
    },
    {
      description: 'Everything, with reports to hand on',
      command:
        "<%= config.bin %> webhook certify --to http://127.0.0.1:3000 --probe 'python3 endpoint.py probe holds.db' --restart ./restart.sh --report html=certificate.html --report json=certificate.json",
    },
    {
      description: 'Whether a copy of a certificate is unchanged',
      command: '<%= config.bin %> webhook certify --verify certificate.json',
    },
  ]
  static override flags = certifyFlags

  static override guide: Guide = {needs: [{anyOf: ['--to'], or: ['--verify']}]}

  async run() {
    const {flags} = await this.parse(WebhookCertify)
    if (flags.verify !== undefined) return verifyCertificate(this.context, flags.verify)
    const certificate = await printCertificate(this.context, flags, certifyEndpoint(this.context, flags))
    const failure = certificateFailure(certificate)
    if (failure) throw failure
    return certificate
  }
}
