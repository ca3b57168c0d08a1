import {join} from 'node:path'
import {Readable} from 'node:stream'
import {BaseCommand} from '../cli/base-command.ts'
import {runLine} from '../cli/main.ts'
import type {Program} from '../cli/program.ts'
import {type Surroundings, surroundingsOf} from '../cli/surroundings.ts'
import {inTemporaryFolder} from '../cli/temporary-folder.ts'
import {interrupted} from '../errors/interruption.ts'
import {Sink} from '../output/sink.ts'
import {dim, paintFor, strong} from '../output/styled.ts'
import {colourLevel} from '../output/terminal.ts'

interface Step {
  readonly about: string
  readonly argv: readonly string[]
  /** The content of a file that a user would redirect to stdin. */
  readonly stdin?: {readonly file: string; readonly text: string}
}

const STEPS: readonly Step[] = [
  {about: 'A card, as support staff look it up.', argv: ['cards', 'get', '3001']},
  {
    about: 'A list, page by page; every list can also be JSON, NDJSON, CSV or YAML.',
    argv: ['cards', 'list', '--customer', '1003', '--limit', '5'],
  },
  {
    about: 'A write has an idempotency key and is in the journal before it is sent.',
    argv: ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=8000'],
  },
  {
    about: 'What the sandbox holds now, the new limit included.',
    argv: ['sandbox', 'state', 'list', 'accounts', '--limit', '3'],
  },
  {
    about: 'What would be sent, without sending it.',
    argv: ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=9000', '--dry-run'],
  },
  {
    about: 'A PIN: never a flag. RSA, 3DES and the PIN block are real.',
    argv: ['pin', 'set', '3004'],
    stdin: {file: 'pin.txt', text: '8253\n'},
  },
  {
    about: 'Money from one account to another, followed to its booking.',
    argv: ['a2a', 'create', '--transfer', '2006:2007:12.50:EUR:rent', '--wait', '--yes'],
  },
  {
    about: 'What the service keeps: the balance after the transfer.',
    argv: ['sandbox', 'state', 'show', 'balance', '2006-EUR'],
  },
]

export default class Tour extends BaseCommand {
  static override summary = 'Run a few real commands on a temporary sandbox.'
  static override examples = ['<%= config.bin %> tour']

  async run() {
    await this.parse(Tour)
    const outside = surroundingsOf(this.config)
    await inTemporaryFolder('cardctl-tour-', async home => {
      for (const stop of STEPS) await this.show(stop, inside(outside, home, stop), outside)
    })
    new Sink(outside.stdout).say(
      'That was a sandbox of its own, gone now. Yours is the profile "sandbox": cardctl cards get 3001\nA real service: cardctl profiles add NAME    All commands: cardctl help\n',
    )
  }

  private async show(
    {about, argv, stdin}: Step,
    surroundings: Surroundings,
    {env, stdout, signal}: Surroundings,
  ): Promise<void> {
    const paint = paintFor(colourLevel(env, stdout, this.context.outputOptions))
    const words = argv.map(word => (/^[\w.,:=/-]+$/.test(word) ? word : `'${word}'`))
    const line = `cardctl ${words.join(' ')}${stdin ? ` < ${stdin.file}` : ''}`
    const screen = new Sink(stdout)
    screen.say(`${paint(dim(`# ${about}`))}\n$ ${paint(strong(line))}\n`)
    await runLine(argv, surroundings, (this.config as Program).listed)
    if (signal.aborted) throw interrupted(signal.reason)
    screen.say('\n')
  }
}

/** Variables about the terminal. */
const LOOK: readonly string[] = ['CARDCTL_ACCESSIBLE', 'CARDCTL_ASCII']

/** The same terminal with another home: the user's profiles, journal and sandbox don't change. */
function inside(outside: Surroundings, home: string, {stdin}: Step): Surroundings {
  const others = Object.entries(outside.env).filter(
    ([name]) => !name.startsWith('CARDCTL_') || LOOK.includes(name),
  )
  const env: Record<string, string | undefined> = {
    ...Object.fromEntries(others),
    CARDCTL_CONFIG_DIR: join(home, 'config'),
    CARDCTL_DATA_DIR: join(home, 'data'),
    CARDCTL_CACHE_DIR: join(home, 'cache'),
    CARDCTL_PROFILE: 'sandbox',
    CARDCTL_NO_INPUT: '1',
    CARDCTL_PAGER: 'cat',
  }
  return {...outside, env, stdin: Readable.from(stdin ? [Buffer.from(stdin.text)] : [])}
}
