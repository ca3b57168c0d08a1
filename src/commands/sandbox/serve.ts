import {BaseCommand} from '../../cli/base-command.ts'
import {runServer} from '../../cli/serving/run-server.ts'
import {sandboxServerFlags, startSandboxServer} from './shared/server.ts'
import {sandboxServeView} from './shared/views.ts'

export default class SandboxServe extends BaseCommand {
  static override summary = 'Serve the sandbox on a port, for other programs and for tests.'
  static override description =
    'Prints its URL, then one line for each request, with card numbers masked, and one for each call to a webhook, without bodies. With -o ndjson it prints one object per line; the first is {"type":"ready","url":…}. SIGINT, SIGTERM and SIGHUP stop it after the requests in progress. Without --data, --memory, --from or --store it serves the state of the embedded sandbox.'
  static override examples = [
    '<%= config.bin %> sandbox serve --port 8080',
    {
      description: 'For a test run: demo data, kept in memory only',
      command: '<%= config.bin %> sandbox serve --memory -o ndjson',
    },
    {
      description: 'For tests in any language: a sandbox for each by POST /_sandboxes',
      command: '<%= config.bin %> sandbox serve --isolated -o ndjson',
    },
    '<%= config.bin %> sandbox snapshot save before-july',
    {
      description: 'For a test run that begins from a saved state',
      command: '<%= config.bin %> sandbox serve --from before-july --port 0 -o ndjson',
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
  static override flags = sandboxServerFlags

  async run() {
    const {flags} = await this.parse(SandboxServe)
    return runServer(
      this.context,
      () => startSandboxServer(this.context, flags),
      sandboxServeView,
      flags['parent-pid'],
    )
  }
}
