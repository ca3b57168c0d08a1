import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import {advice} from '../../errors/advice.ts'
import {Failure} from '../../errors/failure.ts'
import {keyFileOf, keyOfPage, renewKey} from './shared/inspector.ts'
import {recordingFlag, withRecording} from './shared/recording.ts'
import {linksOfServers, runningServers, type ServerLink} from './shared/running-servers.ts'

export default class WebhookLink extends BaseCommand {
  static override summary = 'Print the links to the inspector pages of running servers.'
  static override description =
    'A link opens the page in any browser of this machine, in as many windows as you like. With --new, the links that were printed before open nothing any more, and open windows are locked within a few seconds. It finds servers that record; a server with --no-record prints its link when it starts.'
  static override examples = ['<%= config.bin %> webhook link', '<%= config.bin %> webhook link --new']
  static override flags = {
    ...recordingFlag,
    new: Flags.boolean({summary: 'Make a new key. Links and windows with the former one stop working.'}),
  }

  async run() {
    const {flags} = await this.parse(WebhookLink)
    const file = keyFileOf(this.context)
    const key = flags.new ? renewKey(file) : keyOfPage(file)
    const servers = await withRecording(this.context, flags, async recording =>
      runningServers(this.context, recording),
    )
    const links = await linksOfServers(servers, key)
    if (links.length === 0) {
      throw new Failure('NOT_FOUND', {
        message: `No server with an inspector page is running and recording.${flags.new ? ' There is a new key all the same.' : ''}`,
        hint: advice`Start one: ${this.context.commandLine('webhook', 'serve', '--inspect')}`,
        effect: flags.new ? 'done' : 'none',
      })
    }
    await this.context.printer.data(links, linksView)
    return links
  }
}

/** A link that is cut opens nothing. */
const linksView = (links: readonly ServerLink[]): string => links.map(({link}) => link).join('\n')
