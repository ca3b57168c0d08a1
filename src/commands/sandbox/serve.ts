import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import {runServer} from '../../cli/serving/run-server.ts'
import {servingFlags} from '../../cli/serving/serving-flags.ts'
import {sandboxWebhookFlags} from './shared/outgoing-calls.ts'
import {startSandboxServer} from './shared/server.ts'
import {storeFlags} from './shared/store.ts'
import {sandboxServeView} from './shared/views.ts'

export default class SandboxServe extends BaseCommand {
  static override summary = 'Serve the sandbox on a port, for other programs and for tests.'
  static override description =
    'Prints its URL, then one line for each request, with card numbers masked, and one for each call to a webhook, without bodies. With -o ndjson it prints one object per line; the first is {"type":"ready","url":…}. SIGINT, SIGTERM and SIGHUP stop it after the requests in progress. Without --data, --memory or --store it serves the state of the embedded sandbox.'
  static override examples = [
    '<%= config.bin %> sandbox serve --port 8080',
    {
      description: 'For a test run: demo data, kept in memory only',
      command: '<%= config.bin %> sandbox serve --memory -o ndjson',
    },
    {
      description: 'Your own endpoint decides about authorisations',
      command: '<%= config.bin %> sandbox serve --webhook-url http://127.0.0.1:8484',
    },
    {
      description: 'The state in PostgreSQL, shared by several servers',
      command: '<%= config.bin %> sandbox serve --store env:DATABASE_URL',
    },
    'export SANDBOX_CREDENTIAL=user:made-up',
    '<%= config.bin %> sandbox serve --tls --auth basic:env:SANDBOX_CREDENTIAL --rate-limit 50/s,3000/min',
  ]
  static override flags = {
    ...servingFlags,
    'allow-host': Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'NAME',
      summary:
        'Without --auth, also accept requests for this host name, for example of a container. Repeatable.',
    }),
    data: Flags.string({
      helpValue: 'DIR',
      summary: 'Folder of the state.',
      exclusive: ['memory', 'store'],
    }),
    memory: Flags.boolean({
      summary: 'Keep the state in memory and start with the demo data.',
      exclusive: ['store'],
    }),
    ...storeFlags,
    tenants: Flags.boolean({
      summary:
        'Give each tenant of the database a service of its own. Its token decides. See sandbox tenants.',
      dependsOn: ['store'],
      exclusive: ['auth', 'rate-limit', 'webhook-url'],
    }),
    'webhook-allow': Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'HOST',
      summary:
        'With --tenants, also call webhooks at this host if its address is local to this machine. Repeatable.',
      dependsOn: ['tenants'],
    }),
    'store-connections': Flags.integer({
      helpValue: 'N',
      min: 1,
      max: 1000,
      summary: 'Maximum number of connections of this process to the database (default 4).',
      dependsOn: ['store'],
    }),
    'rate-limit': Flags.string({
      helpValue: '50/s,3000/min',
      summary: 'Rate limit for each credential. Requests beyond it get status 429.',
    }),
    'strict-idempotency': Flags.boolean({
      summary: 'Respond with 422 to a known key with a different body, not with the stored response.',
    }),
    prefixes: Flags.boolean({
      summary: 'Also accept paths with a prefix, as some services have them (/card/v4/3001).',
    }),
    ...sandboxWebhookFlags,
  }

  async run() {
    const {flags} = await this.parse(SandboxServe)
    return runServer(this.context, () => startSandboxServer(this.context, flags), sandboxServeView)
  }
}
