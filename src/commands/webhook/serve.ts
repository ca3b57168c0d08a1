import {BaseCommand} from '../../cli/base-command.ts'
import {runServer} from '../../cli/serving/run-server.ts'
import {webhookServerFlags} from './shared/serve-flags.ts'
import {webhookServeView} from './shared/serve-view.ts'
import {startWebhookServer} from './shared/start-server.ts'

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
  static override flags = webhookServerFlags

  async run() {
    const {flags} = await this.parse(WebhookServe)
    return runServer(
      this.context,
      () => startWebhookServer(this.context, flags),
      webhookServeView,
      flags['parent-pid'],
    )
  }
}
