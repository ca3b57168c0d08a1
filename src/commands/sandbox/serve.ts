import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import {runServer} from '../../cli/serving/run-server.ts'
import {servingFlags} from '../../cli/serving/serving-flags.ts'
import {sandboxServeView} from '../../output/views/sandbox-serve.ts'
import {sandboxWebhookFlags} from './shared/outgoing-calls.ts'
import {startSandboxServer} from './shared/server.ts'

export default class SandboxServe extends BaseCommand {
  static override summary = 'Put the sandbox on a port, for other programs and for tests.'
  static override description =
    'Prints where it listens, then a line for every request, card numbers masked; with -o ndjson as one object a line, the first of them {"type":"ready","url":…}. Ends with SIGINT, SIGTERM or SIGHUP, after the requests under way. Without --data or --memory it serves the state of the embedded sandbox.'
  static override examples = [
    '<%= config.bin %> sandbox serve --port 8080',
    {
      description: 'For a test run: a fresh state, gone afterwards',
      command: '<%= config.bin %> sandbox serve --memory -o ndjson',
    },
    {
      description: 'Your own endpoint decides about authorisations',
      command: '<%= config.bin %> sandbox serve --webhook-url http://127.0.0.1:8484',
    },
    '<%= config.bin %> sandbox serve --tls --auth basic:env:SANDBOX_CREDENTIAL --rate-limit 50/s,3000/min',
  ]
  static override flags = {
    ...servingFlags,
    'allow-host': Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'NAME',
      summary:
        'Without --auth, also answer requests for this host name, such as that of a container; repeatable.',
    }),
    data: Flags.string({
      helpValue: 'DIR',
      summary: 'The folder that keeps the state.',
      exclusive: ['memory'],
    }),
    memory: Flags.boolean({summary: 'Keep the state in memory only, and begin with the demo data.'}),
    'rate-limit': Flags.string({
      helpValue: '50/s,3000/min',
      summary: 'Answer 429 to more than that in any such span, for each credential.',
    }),
    'strict-idempotency': Flags.boolean({
      summary: 'Answer 422 to a known key with another body, instead of the stored reply.',
    }),
    prefixes: Flags.boolean({
      summary: 'Also take paths with the prefixes seen in the field (/card/v4/3001).',
    }),
    ...sandboxWebhookFlags,
  }

  async run() {
    const {flags} = await this.parse(SandboxServe)
    await runServer(this.context, () => startSandboxServer(this.context, flags), sandboxServeView)
  }
}
