import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../cli/base-command.ts'
import {readManifest} from '../cli/help/manifest.ts'
import {toolData} from '../cli/help/tool-data.ts'
import type {Program} from '../cli/program.ts'
import {serve} from './mcp/shared/serve.ts'

export default class Mcp extends BaseCommand {
  static override summary = 'Serve commands as tools of the Model Context Protocol, on stdin and stdout.'
  static override description =
    'For agents: a program that speaks the protocol starts it. Its tools are the commands that read or write at the service; none of them discloses a secret, changes this machine or approves something. Without -p it uses the sandbox. On a live profile it serves only with --live-reads, and its writes become proposals.'
  static override examples = [
    {description: 'What a program runs', command: '<%= config.bin %> mcp'},
    {
      description: 'Reads from a live service, and proposals',
      command: '<%= config.bin %> mcp -p prod --live-reads',
    },
  ]
  static override flags = {
    'live-reads': Flags.boolean({summary: 'Allow reads from a live profile, which -p names.'}),
  }

  async run(): Promise<undefined> {
    const {flags} = await this.parse(Mcp)
    this.endsAtInterrupt = true
    const {listed, version, name} = this.config as Program
    await serve(this.context, {
      profile: flags.profile,
      mayReadLive: flags['live-reads'],
      commands: listed,
      data: toolData(readManifest(), {name, version}),
    })
    return undefined
  }
}
