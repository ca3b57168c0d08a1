import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import {integerFlag} from '../../cli/flags.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {certificateFailure, certifyEndpoint, printCertificate} from './shared/certify.ts'
import {endpointFlags} from './shared/endpoint.ts'
import {verifyCertificate} from './shared/verify-certificate.ts'

export default class WebhookCertify extends BaseCommand {
  static override summary = 'Check all that an endpoint must do, and write a certificate of it.'
  static override description =
    'Runs all shipped suites, then checks repeats, restarts, dropped connections, failed warm-ups, wrong order, holds, and the deadline over 10,000 calls. What cannot be checked is reported as not checked, never as passed: without --probe no holds are seen, without --restart there is no restart. Each check says whether it rests on the outline of the service, on known facts or on a decision of cardctl. Use a test instance: the calls leave holds behind.\n\nExit codes: 0 if nothing failed, also if something was not checked; 11 if a check failed; 9 if nobody answers the first call.'
  static override examples = [
    {
      description: 'In another terminal: your endpoint, or this one',
      command: '<%= config.bin %> webhook serve --port 8484',
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
  static override flags = {
    ...endpointFlags,
    to: Flags.string({helpValue: 'URL', summary: 'URL of the endpoint, without /auth or /warm-up.'}),
    probe: Flags.string({
      helpValue: 'COMMAND',
      summary:
        'Command that prints the holds of the endpoint for a call as a JSON array of {amount, currency}. {id} in it becomes the metadata.id; without it, the id is the last argument.',
    }),
    restart: Flags.string({
      helpValue: 'COMMAND',
      summary: 'Command that stops the endpoint and starts it again, and then ends.',
    }),
    calls: integerFlag({
      default: 10_000,
      min: 1,
      max: 1_000_000,
      summary: 'Calls for the deadline. The 99.9th percentile needs at least 10,000.',
    }),
    rate: integerFlag({
      default: 200,
      min: 1,
      max: 5000,
      helpValue: '200',
      summary: 'Calls per second for the deadline.',
    }),
    report: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'html|markdown|json=FILE',
      summary: 'Also write the certificate: html=FILE, markdown=FILE or json=FILE. Repeatable.',
    }),
    verify: Flags.string({
      helpValue: 'FILE',
      exclusive: ['to', 'probe', 'restart', 'report'],
      summary: 'Compare a certificate as JSON with its own SHA-256. Sends nothing.',
    }),
  }

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
