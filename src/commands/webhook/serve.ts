import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import {callAuthFlag} from '../../cli/call-credentials.ts'
import {durationFlag} from '../../cli/flags.ts'
import {runServer} from '../../cli/serving/run-server.ts'
import {certificateFlags, servingFlags} from '../../cli/serving/serving-flags.ts'
import {recorderFlags} from './shared/recording.ts'
import {webhookServeView} from './shared/serve-view.ts'
import {startWebhookServer} from './shared/server.ts'

export default class WebhookServe extends BaseCommand {
  static override summary = 'Answer the authorisation calls of the service on this machine.'
  static override description =
    'Receives POST /warm-up and POST /auth, checks each call against the contract, decides within the deadline and prints one line per call with the time taken. With -o ndjson it prints one object per line, first {"type":"ready","url":…}. Approves everything by default. The same call with the same metadata.id gets the same answer, also after a restart; another call with a known id is decided by its own content, with a warning. SIGINT, SIGTERM and SIGHUP end the server after the calls in progress.\n\n--approve answers 00 to every call; the answer to a balance inquiry has the balance of the call. --decline CODE declines payments, including incremental ones and unknown kinds. The codes 51, 61 and 65 are about money that leaves the account: with them, refunds and other credits, balance inquiries, PIN management and zero amounts are still approved. Any other code declines these too. Reversals are always approved, because they report what has happened. Partial approvals need a merchant that supports them.'
  static override examples = [
    '<%= config.bin %> webhook serve --port 8484',
    '<%= config.bin %> webhook serve --decline 51',
    {
      description: 'Rules first, then your own script',
      command: '<%= config.bin %> webhook serve --rules rules.yaml --exec ./decide.sh',
    },
    {
      description: 'A long-running script, with a line for each call',
      command: '<%= config.bin %> webhook serve --exec ./decide.py --exec-mode long-running',
    },
    {
      description: 'Your own endpoint decides, and cardctl checks its answers',
      command: '<%= config.bin %> webhook serve --port 8484 --forward-to http://127.0.0.1:3000',
    },
    {description: 'Decide yourself', command: '<%= config.bin %> webhook serve --ask --deadline 30s'},
    {
      description: 'Watch the calls in a browser',
      command: '<%= config.bin %> webhook serve --port 8484 --inspect',
    },
  ]
  static override flags = {
    ...servingFlags,
    auth: callAuthFlag("Require credentials of every call (default the profile's)."),
    'path-prefix': Flags.string({helpValue: '/hooks', summary: 'Path prefix of /auth and /warm-up.'}),
    deadline: durationFlag({
      default: 2000,
      helpValue: '2s',
      summary: 'Maximum time to answer a call (default 2s).',
    }),
    ...certificateFlags,
    approve: Flags.boolean({
      summary: 'Approve everything (default).',
      exclusive: ['decline', 'exec', 'forward-to', 'ask'],
    }),
    decline: Flags.string({
      helpValue: 'CODE',
      summary: 'Decline calls with this response code, for example 51 or NOT_SUFFICIENT_FUNDS.',
      exclusive: ['approve', 'exec', 'forward-to', 'ask'],
    }),
    rules: Flags.string({
      helpValue: 'FILE',
      summary: 'Decide by the rules in this file first, YAML or JSON. Reloads the file when it changes.',
    }),
    exec: Flags.string({
      helpValue: 'COMMAND',
      summary:
        'Let this shell command decide. It reads the call from stdin and writes approve, decline CODE or JSON to stdout.',
      exclusive: ['approve', 'decline', 'forward-to', 'ask'],
    }),
    'exec-mode': Flags.option({
      options: ['per-call', 'long-running'] as const,
      summary:
        'per-call: start the command for each call (default). long-running: start it once; it reads a call per line from stdin and writes an answer per line, as JSON with the id of the call.',
      dependsOn: ['exec'],
    })(),
    'forward-to': Flags.string({
      helpValue: 'URL',
      summary: 'Let the endpoint at this URL decide.',
      exclusive: ['approve', 'decline', 'exec', 'ask'],
    }),
    'forward-ca': Flags.string({
      helpValue: 'FILE',
      summary: 'Certificate authorities to trust for --forward-to, PEM.',
      dependsOn: ['forward-to'],
    }),
    'forward-auth': callAuthFlag('Send these credentials to --forward-to, in place of those of the call.', [
      'forward-to',
    ]),
    'forward-header': Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'name:value',
      summary: 'Additional header for --forward-to, not a secret one; repeatable.',
      dependsOn: ['forward-to'],
    }),
    'forward-cert': Flags.string({
      helpValue: 'FILE',
      summary: 'Client certificate for --forward-to, PEM.',
      dependsOn: ['forward-to', 'forward-cert-key'],
    }),
    'forward-cert-key': Flags.string({
      helpValue: 'env:NAME|file:PATH|cmd:COMMAND',
      summary: 'Private key of that certificate.',
      dependsOn: ['forward-cert'],
    }),
    confirm: Flags.string({
      helpValue: 'HOST',
      summary: 'Confirm the host of --forward-to by name, if it is another machine without https.',
      dependsOn: ['forward-to'],
    }),
    ask: Flags.boolean({
      summary: 'Decide each call yourself, with a key. For more time, pass --deadline 30s.',
      exclusive: ['approve', 'decline', 'exec', 'forward-to'],
    }),
    ...recorderFlags,
    'repeat-memory': Flags.boolean({
      default: true,
      allowNo: true,
      summary:
        'Give the same call with the same metadata.id the same answer (default). With --no-repeat-memory each call is decided again, to test the endpoint or rules that decide.',
    }),
    strict: Flags.boolean({
      allowNo: true,
      summary:
        'Refuse calls that differ from the contract with 400, to test the sender. By default they are accepted and the differences shown.',
    }),
    inspect: Flags.boolean({
      exclusive: ['client-ca'],
      summary: 'Show the calls on a page for browsers on this machine. Prints its link at the start.',
    }),
  }

  async run() {
    const {flags} = await this.parse(WebhookServe)
    return runServer(this.context, () => startWebhookServer(this.context, flags), webhookServeView)
  }
}
