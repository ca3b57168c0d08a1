import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import {durationFlag} from '../../cli/flags.ts'
import {runServer} from '../../cli/serving/run-server.ts'
import {servingFlags} from '../../cli/serving/serving-flags.ts'
import {webhookServeView} from '../../output/views/webhook-serve.ts'
import {recorderFlags} from './shared/recording.ts'
import {startWebhookServer} from './shared/server.ts'

export default class WebhookServe extends BaseCommand {
  static override summary = 'Answer the authorisation calls of the service on this machine.'
  static override description =
    'Receives POST /warm-up and POST /auth, checks each against the contract, decides within the deadline and prints a line for it, with how much of the time it took; with -o ndjson as one object a line, the first of them {"type":"ready","url":…}. Approves everything unless told otherwise. The same call under the same metadata.id gets the same answer, also after a restart; another call under a known id is decided by its own content, with a warning. Ends with SIGINT, SIGTERM or SIGHUP, after the calls under way.\n\n--approve answers 00 to every call; a balance inquiry is told the balance that came with it. --decline CODE declines payments, incremental ones and unknown kinds included. 51, 61 and 65 speak of money that is to leave the account, so with them refunds and other credits, balance inquiries, PIN management and amounts of zero are still approved; any other code declines them too. A reversal reports what has happened and is always approved. A part is approved only where the merchant can take it.'
  static override examples = [
    '<%= config.bin %> webhook serve --port 8484',
    '<%= config.bin %> webhook serve --decline 51',
    {
      description: 'Your own endpoint decides; its answers are checked against the contract',
      command: '<%= config.bin %> webhook serve --forward-to http://127.0.0.1:3000',
    },
    {
      description: 'Rules first, then a script of yours',
      command: '<%= config.bin %> webhook serve --rules rules.yaml --exec ./decide.sh',
    },
    {
      description: 'Decide yourself',
      command: '<%= config.bin %> webhook serve --ask --deadline 30s',
    },
    {
      description: 'Watch the calls in a browser',
      command: '<%= config.bin %> webhook serve --port 8484 --inspect',
    },
  ]
  static override flags = {
    ...servingFlags,
    'path-prefix': Flags.string({helpValue: '/hooks', summary: 'Path prefix of /auth and /warm-up.'}),
    deadline: durationFlag({
      default: 2000,
      helpValue: '2s',
      summary: 'How long a call may wait for its answer (default 2s).',
    }),
    'tls-cert': Flags.string({
      helpValue: 'FILE',
      summary: 'Serve https with this certificate and those that signed it, PEM.',
    }),
    'tls-key': Flags.string({
      helpValue: 'FILE',
      summary: 'The private key of the certificate, PEM.',
    }),
    'client-ca': Flags.string({
      helpValue: 'FILE',
      summary: 'Let in only callers with a certificate of these authorities (mTLS), PEM.',
    }),
    approve: Flags.boolean({
      summary: 'Approve everything; the default.',
      exclusive: ['decline', 'exec', 'forward-to', 'ask'],
    }),
    decline: Flags.string({
      helpValue: 'CODE',
      summary: 'Decline every call that can be declined with this code (51, NOT_SUFFICIENT_FUNDS …).',
      exclusive: ['approve', 'exec', 'forward-to', 'ask'],
    }),
    rules: Flags.string({
      helpValue: 'FILE',
      summary: 'Decide by the rules of this file first, YAML or JSON; it is read again when it is saved.',
    }),
    exec: Flags.string({
      helpValue: 'COMMAND',
      summary: 'Let this shell command decide: the call on stdin; approve, decline CODE or JSON on stdout.',
      exclusive: ['approve', 'decline', 'forward-to', 'ask'],
    }),
    'forward-to': Flags.string({
      helpValue: 'URL',
      summary: 'Let the endpoint below this address decide.',
      exclusive: ['approve', 'decline', 'exec', 'ask'],
    }),
    'forward-ca': Flags.string({
      helpValue: 'FILE',
      summary: 'Certificate authorities to trust at that address, PEM.',
      dependsOn: ['forward-to'],
    }),
    confirm: Flags.string({
      helpValue: 'HOST',
      summary: 'Confirm by name the host of --forward-to, where it is another machine and not https.',
      dependsOn: ['forward-to'],
    }),
    ask: Flags.boolean({
      summary: 'Decide yourself, by a key, while the time runs; give it more with --deadline 30s.',
      exclusive: ['approve', 'decline', 'exec', 'forward-to'],
    }),
    ...recorderFlags,
    'repeat-memory': Flags.boolean({
      default: true,
      allowNo: true,
      summary:
        'Give the same call under the same metadata.id the same answer; with --no-repeat-memory each call is decided again, to test the endpoint that decides.',
    }),
    strict: Flags.boolean({
      allowNo: true,
      summary:
        'Refuse calls that differ from the contract with 400, to test what sends them; else they are taken, and the lines say what differs.',
    }),
    inspect: Flags.boolean({
      exclusive: ['client-ca'],
      summary: 'Show the calls on a page for browsers on this machine; the first lines have its link.',
    }),
  }

  async run() {
    const {flags} = await this.parse(WebhookServe)
    await runServer(this.context, () => startWebhookServer(this.context, flags), webhookServeView)
  }
}
