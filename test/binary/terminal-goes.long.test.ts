// The terminal may go at any time, and so may the patience of whoever started it: for each thing that waits, what each
// event must lead to. None of them may outlive its terminal.
import {cpSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {afterAll, beforeAll, describe, expect, type TestContext, test} from 'vitest'
import {BINARY, emptyHome, plainEnv, until} from '../helpers/binary.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {hasPseudoTerminal, openPseudoTerminal, type PseudoTerminal} from '../helpers/pseudo-terminal.ts'
import {openService, reply, type Service} from '../helpers/service.ts'
import {isWhole} from '../helpers/whole.ts'
import {callOf} from '../webhook/calls.ts'

type Event =
  | 'the terminal is closed'
  | 'the terminal fails without SIGHUP'
  | 'SIGHUP'
  | 'SIGTERM'
  | 'SIGINT'
  | 'Ctrl-C'
  | 'Ctrl-D'
  | 'a second signal'

type Outcomes = Readonly<Partial<Record<Event, number | 'goes on'>>>

/** With the terminal's line editing, closing it and Ctrl-C are no more than SIGHUP and SIGINT. */
const ENDED = {'the terminal is closed': 129, SIGTERM: 143, 'Ctrl-C': 130} as const

/** Reads the terminal: it notices by itself that this is gone. */
const QUESTION: Outcomes = {
  ...ENDED,
  SIGHUP: 129,
  SIGINT: 130,
  'the terminal fails without SIGHUP': 129,
  'Ctrl-D': 2,
}
/** Writes to the terminal now and then, and gives up at once. */
const WAIT: Outcomes = {...ENDED, 'the terminal fails without SIGHUP': 129, 'Ctrl-D': 'goes on'}
/** Neither reads nor writes. */
const SILENT: Outcomes = {...ENDED, 'the terminal fails without SIGHUP': 'goes on', 'Ctrl-D': 'goes on'}
/** Ends what is under way first, so that there is time for a second signal. */
const DRAINING: Outcomes = {...ENDED, 'Ctrl-D': 'goes on', 'a second signal': 130}
/** Redraws the terminal until Ctrl-C. */
const WATCH: Outcomes = {...WAIT, SIGHUP: 129, 'Ctrl-C': 0}

interface Scene {
  readonly line: string
  readonly shows?: RegExp | string
  readonly outcomes: Outcomes
  readonly env?: Readonly<Record<string, string>>
  /** Whether its requests go to a service that leaves writes without an answer. */
  readonly atService?: boolean
  /** The method of the request that the service has got by then. */
  readonly asks?: string
  /** Before it is run. */
  readonly before?: (home: string, service: Service | undefined, finished: Finished) => Promise<unknown>
  /** What happens in it before the event. */
  readonly next?: (terminal: PseudoTerminal) => unknown
  /** How many requests the journal has after the terminal was closed; for a question, none. */
  readonly recorded?: number
  /** How it reads the terminal, if not as lists and menus do. */
  readonly reads?: 'hidden' | 'lines' | 'stdin'
  /** A file that it would write after the question. */
  readonly unmade?: string
}

const FAR = 'profiles add far --kind test --base-url https://service.invalid --profile-audit-user u'

const LIST = 'id,creditLimit\n2001,5000\n2002,5000\n'

/** A call that waits for a decision. */
async function call(terminal: PseudoTerminal): Promise<void> {
  const [, url] = /listening on (\S+)/.exec(plain(terminal)) ?? []
  fetch(`${url}/auth`, {method: 'POST', body: JSON.stringify(callOf('chip', 'a'))}).catch(() => undefined)
}

const plain = (terminal: PseudoTerminal): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours begin with
  terminal.output().replaceAll(/\u001b\[[\d;]*m/g, '')

const BULK_RUN = 'bulk run accounts.patchCredit.v4 --from list.csv --yes --timeout 60s'

/** Another process of the same home that runs a job whose rows get no answer. */
async function runningJob(home: string, service: Service | undefined, finished: Finished): Promise<void> {
  const other = openPseudoTerminal([process.execPath, BINARY, ...BULK_RUN.split(' ')], {
    cwd: home,
    env: plainEnv(home, {TERM: 'xterm', CARDCTL_PROFILE: 'sandbox', CARDCTL_BASE_URL: service?.url ?? ''}),
  })
  finished(() => other.kill())
  await until(() => service?.requests.some(({method}) => method === 'PATCH'))
}

/** Puts a spreadsheet into the home. */
const sheet = (text: string) => async (home: string) => writeFileSync(join(home, 'sheet.csv'), text)

const TRANSFERS = 'a2a create --transfer 2006:2007:12.50:EUR'

const PASSPHRASE = 'long enough words'

/** A request in the journal of the home. */
async function written(home: string): Promise<void> {
  expect((await inProcess(home, CHANGE)).code).toBe(0)
}

const SPINNER = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/
const CHANGE = 'accounts patch 2001 --type credit --credit-limit 6000'

/** Types each answer when its question is shown, up to the last question, which gets none. */
const through =
  (...steps: readonly (readonly [answer: string, next: RegExp | string])[]) =>
  async (terminal: PseudoTerminal): Promise<void> => {
    for (const [answer, next] of steps) {
      terminal.type(answer)
      await terminal.shows(next)
    }
  }

/** Takes the first id that is suggested; without the embedded sandbox none is. */
const FIRST = '\r'

/** From the menu to the question before a write is sent. */
const toConfirmation = (id: string) =>
  [
    ['accounts limit\r', 'Id of the account'],
    [id, 'New credit limit'],
    ['6000\r', 'Type'],
    ['\r', 'What else?'],
    ['\r', 'Continue?'],
  ] as const

const SCENES: Readonly<Record<string, Scene>> = {
  'the menu': {line: '', shows: 'What do you want to do?', outcomes: QUESTION},
  'the menu, searched': {
    line: '',
    shows: 'What do you want to do?',
    // Ctrl-D in a text removes the next character.
    outcomes: {...QUESTION, 'Ctrl-D': 'goes on'},
    next: terminal => {
      terminal.type('reminder')
      return terminal.shows(/reminder[\s\S]*accounts reminder/)
    },
  },
  'a command of the menu': {
    line: '',
    shows: 'What do you want to do?',
    outcomes: QUESTION,
    next: async terminal => {
      terminal.type('reminder')
      await terminal.shows(/reminder[\s\S]*accounts reminder/)
      terminal.type('\r')
      await terminal.shows('Id of the account')
    },
  },
  'a confirmation behind the menu': {
    line: '',
    shows: 'What do you want to do?',
    outcomes: QUESTION,
    next: through(...toConfirmation(FIRST)),
  },
  'several values behind the menu': {
    line: '',
    shows: 'What do you want to do?',
    outcomes: QUESTION,
    next: through(...toConfirmation(FIRST).slice(0, 4)),
  },
  'a choice behind the menu': {
    line: '',
    shows: 'What do you want to do?',
    outcomes: QUESTION,
    next: through(...toConfirmation(FIRST).slice(0, 3)),
  },
  'a hidden PIN behind the menu': {
    line: '',
    shows: 'What do you want to do?',
    reads: 'hidden',
    outcomes: QUESTION,
    next: through(['pin set\r', 'Id of the card'], [FIRST, 'What else?'], ['\r', 'New PIN (Esc back):']),
  },
  'a write from the menu': {
    line: '',
    shows: 'What do you want to do?',
    atService: true,
    outcomes: {...WAIT, SIGHUP: 129},
    next: through(...toConfirmation('2001\r'), ['y\r', SPINNER]),
    recorded: 1,
  },
  'the values of -i': {line: 'accounts patch -i', shows: 'Id of the account', outcomes: QUESTION},
  'several values of -i': {line: `${CHANGE} -i`, shows: 'What else?', outcomes: QUESTION},
  'the confirmation of -i': {
    line: `${CHANGE} -i`,
    shows: 'What else?',
    outcomes: QUESTION,
    next: terminal => {
      terminal.type('\r')
      return terminal.shows('Continue?')
    },
  },
  'a question in plain lines': {
    line: 'accounts patch -i',
    env: {CARDCTL_ACCESSIBLE: '1'},
    shows: 'Id of the account',
    reads: 'lines',
    outcomes: QUESTION,
  },
  'a spinner': {
    line: CHANGE,
    atService: true,
    shows: SPINNER,
    outcomes: {...WAIT, SIGHUP: 129},
    recorded: 1,
  },
  'the board of a bulk run': {
    line: BULK_RUN.replace('60s', '4s'),
    atService: true,
    shows: 'Elapsed',
    outcomes: {...DRAINING, SIGHUP: 129},
    asks: 'PATCH',
    recorded: 2,
  },
  'the board of bulk watch': {
    line: 'bulk watch last',
    atService: true,
    before: runningJob,
    shows: 'Elapsed',
    outcomes: {...WAIT, SIGHUP: 129},
  },
  '--watch': {line: 'cards get 3001 --watch 1s', shows: 'every 1 s', outcomes: WATCH},
  '--watch in plain lines': {
    line: 'cards get 3001 --watch 1s',
    env: {CARDCTL_ACCESSIBLE: '1'},
    shows: 'read at',
    // Writes only when something has changed.
    outcomes: {...SILENT, SIGHUP: 129, 'Ctrl-C': 0},
  },
  'a missing argument': {line: 'cards get', shows: 'Id of the card', outcomes: QUESTION},
  'a yes or no': {line: 'pin view 3001 --reveal', shows: 'Continue?', outcomes: QUESTION},
  'a name to type': {line: 'pricelists period delete 6003', shows: 'to confirm:', outcomes: QUESTION},
  'a choice': {line: 'profiles add near', shows: 'What is behind this profile?', outcomes: QUESTION},
  'a hidden PIN': {
    line: 'pin set 3004',
    shows: 'New PIN:',
    reads: 'hidden',
    outcomes: QUESTION,
  },
  'a hidden PIN, half typed': {
    line: 'pin set 3004',
    shows: 'New PIN:',
    // Ctrl-D behind some text ends the line, and two digits are no PIN: it is asked for again.
    reads: 'hidden',
    outcomes: {...QUESTION, 'Ctrl-D': 'goes on'},
    next: terminal => {
      terminal.type('82')
      return terminal.shows('••')
    },
  },
  'a hidden card number': {
    line: 'cards get --pan-stdin',
    shows: 'Card number:',
    reads: 'hidden',
    outcomes: QUESTION,
  },
  'a hidden password': {
    line: `${FAR} --auth basic --user u`,
    shows: 'Password:',
    reads: 'hidden',
    outcomes: QUESTION,
  },
  'how decimals are written in transfers': {
    line: 'a2a create --from sheet.csv',
    before: sheet('from;to;amount;currency\n2006;2007;6.000;EUR\n'),
    shows: 'How are decimals written',
    outcomes: QUESTION,
  },
  'which column of a spreadsheet is what': {
    line: 'a2a create --from sheet.csv',
    before: sheet('Kunde;Ziel;Menge\n2006;2007;12,50\n'),
    shows: 'Which column has the account that',
    outcomes: QUESTION,
  },
  'how decimals are written in bulk rows': {
    line: 'bulk run accounts.patchCredit.v4 --from sheet.csv',
    before: sheet('id;creditLimit\n2001;5.000\n'),
    shows: 'How are decimals written',
    outcomes: QUESTION,
  },
  'transfers that were sent before': {
    line: `${TRANSFERS} --transfer 2006:2007:3:EUR`,
    before: async home => expect((await inProcess(home, `${TRANSFERS} --yes`)).code).toBe(0),
    shows: /sent already[\s\S]*Continue\?/,
    outcomes: QUESTION,
    recorded: 1,
  },
  'an audit trail that is followed': {
    line: 'audit export --follow -o ndjson --position exported.json',
    before: written,
    shows: '"seq":1',
    // Writes only when there is a new entry.
    outcomes: {...SILENT, SIGHUP: 129, 'Ctrl-C': 0},
    recorded: 1,
  },
  'a passphrase of data export': {
    line: 'data export backup.age',
    before: written,
    recorded: 1,
    shows: 'Passphrase:',
    reads: 'hidden',
    outcomes: QUESTION,
    unmade: 'backup.age',
  },
  'a passphrase typed again': {
    line: 'data export backup.age',
    before: written,
    recorded: 1,
    shows: 'Passphrase:',
    reads: 'hidden',
    outcomes: QUESTION,
    next: through([`${PASSPHRASE}\r`, 'Again:']),
    unmade: 'backup.age',
  },
  'the question of data export --move': {
    line: 'data export backup.age --move',
    before: written,
    shows: 'Continue?',
    outcomes: QUESTION,
    unmade: 'backup.age',
    recorded: 1,
  },
  'a passphrase of data import': {
    line: 'data import given.age',
    before: async home => {
      await written(home)
      // Read only when the passphrase is there.
      writeFileSync(join(home, 'given.age'), '')
    },
    recorded: 1,
    shows: 'Passphrase:',
    reads: 'hidden',
    outcomes: QUESTION,
  },
  'the question of data erase': {
    line: 'data erase --account 2001',
    before: written,
    shows: 'to confirm:',
    outcomes: QUESTION,
    recorded: 1,
  },
  'data typed on the terminal': {
    line: 'accounts patch 2001 --type credit --data -',
    shows: 'reading from this terminal',
    reads: 'stdin',
    outcomes: QUESTION,
    next: terminal => {
      terminal.type('{"creditLimit":\n')
      return terminal.shows('creditLimit')
    },
  },
  'the screen of a reveal': {
    line: 'pin view 3001 --reveal --yes',
    shows: 'Any key clears this',
    // Any key clears it.
    outcomes: {...QUESTION, 'Ctrl-D': 0},
  },
  'the pager': {
    line: 'cards list --customer 1003 --all -o yaml',
    env: {CARDCTL_PAGER: 'echo paging; exec sleep 600'},
    shows: 'paging',
    outcomes: SILENT,
  },
  'a command that knows a secret': {
    line: 'cards get 3001 -p far',
    env: {CARDCTL_NO_INPUT: '1'},
    before: async home =>
      expect((await inProcess(home, `${FAR} --auth bearer --secret cmd:./slow`)).code).toBe(0),
    shows: 'asked for it',
    // The command finds no terminal to ask on there.
    outcomes: {...ENDED, 'Ctrl-D': 'goes on'},
  },
  'a batch that is followed': {line: 'a2a watch 88001', atService: true, shows: '1 of 5', outcomes: WAIT},
  'an operation that is followed': {
    line: 'remotecheckout status t-1 --wait --debug',
    atService: true,
    asks: 'GET',
    outcomes: WAIT,
  },
  'a write without an answer': {
    line: 'accounts patch 2001 --type credit -F creditLimit=5000',
    atService: true,
    asks: 'PATCH',
    outcomes: WAIT,
  },
  'a bulk run with rows on their way': {
    line: 'bulk run accounts.patchCredit.v4 --from list.csv --yes --timeout 4s',
    atService: true,
    asks: 'PATCH',
    outcomes: DRAINING,
  },
  'the sandbox as a server': {line: 'sandbox serve --port 0', shows: /listening|http/, outcomes: SILENT},
  'a webhook server': {line: 'webhook serve --port 0', shows: 'listening on', outcomes: SILENT},
  'a webhook server that asks': {
    line: 'webhook serve --port 0 --ask --deadline 60s',
    shows: 'decides: you',
    outcomes: {...QUESTION, 'Ctrl-D': 'goes on'},
  },
  'a call that somebody is asked about': {
    line: 'webhook serve --port 0 --ask --deadline 60s',
    shows: 'decides: you',
    outcomes: DRAINING,
    next: terminal => {
      call(terminal)
      return terminal.shows('approve')
    },
  },
  'a call that a command decides about': {
    line: 'webhook serve --port 0 --deadline 60s --exec ./slow',
    shows: 'listening on',
    outcomes: DRAINING,
    next: terminal => {
      call(terminal)
      return terminal.shows('asked for it')
    },
  },
  'a call to an endpoint': {
    line: 'webhook trigger auth --timeout 60s --to',
    atService: true,
    asks: 'POST',
    outcomes: SILENT,
  },
}

/** A home in which the sandbox is there already. */
let model: Home
beforeAll(async () => {
  model = await openHome()
  await model.json(['cards', 'get', '3001'])
})
afterAll(() => model.remove())

/** What a run in that home gives, without a process of its own. */
const inProcess = (home: string, line: string, env: Record<string, string> = {}, stdin = '') =>
  model.run(line.split(' '), {
    stdin,
    env: {
      ...env,
      CARDCTL_CONFIG_DIR: join(home, '.config/cardctl'),
      CARDCTL_DATA_DIR: join(home, '.local/share/cardctl'),
    },
  })

/** A service that leaves writes without an answer. */
async function silentService(): Promise<Service> {
  const never = new Promise<undefined>(() => undefined)
  return openService(({method, url}) => {
    if (url.includes('88001'))
      return reply(200, {
        id: '88001',
        status: 'IN_PROGRESS',
        startTime: '2026-01-01T00:00:00',
        transferItemCount: 5,
        totalAmount: {EUR: 5},
        successfulTransferItems: 1,
        failedTransferItems: 0,
      })
    if (url.includes('t-1')) return reply(200, {traceId: 't-1', status: 'IN_PROGRESS'})
    return method === 'GET' ? undefined : never
  })
}

const SLOW = '#!/bin/sh\necho asked for it >&2\necho asked for it >/dev/tty\nexec sleep 600\n'

type Finished = TestContext['onTestFinished']

async function enter(
  scene: Scene,
  controlling: boolean,
  finished: Finished,
): Promise<{terminal: PseudoTerminal; home: string; url: string | undefined}> {
  const home = await emptyHome(finished)
  cpSync(model.folder, home, {recursive: true})
  writeFileSync(join(home, 'list.csv'), LIST)
  writeFileSync(join(home, 'slow'), SLOW, {mode: 0o755})
  const service = scene.atService ? await silentService() : undefined
  finished(() => service?.close())
  await scene.before?.(home, service, finished)
  const at = service ? {CARDCTL_BASE_URL: service.url} : {}
  const words = scene.line === '' ? [] : scene.line.split(' ')
  if (service && words.at(-1) === '--to') words.push(service.url)
  const terminal = openPseudoTerminal([process.execPath, BINARY, ...words], {
    cwd: home,
    env: plainEnv(home, {TERM: 'xterm', CARDCTL_PROFILE: 'sandbox', ...at, ...scene.env}),
    controlling,
  })
  finished(() => terminal.kill())
  if (scene.shows !== undefined) await terminal.shows(scene.shows)
  if (scene.asks !== undefined) await until(() => service?.requests.some(({method}) => method === scene.asks))
  await scene.next?.(terminal)
  return {terminal, home, url: service?.url}
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

const ACTS: Readonly<Record<Event, (terminal: PseudoTerminal) => unknown>> = {
  'the terminal is closed': terminal => terminal.close(),
  'the terminal fails without SIGHUP': terminal => terminal.close(),
  SIGHUP: terminal => terminal.signal('SIGHUP'),
  SIGTERM: terminal => terminal.signal('SIGTERM'),
  SIGINT: terminal => terminal.signal('SIGINT'),
  'Ctrl-C': terminal => terminal.type('\u0003'),
  'Ctrl-D': terminal => terminal.type('\u0004'),
  'a second signal': async terminal => {
    terminal.signal('SIGTERM')
    await pause(200)
    terminal.signal('SIGINT')
  },
}

/** Scenes of one kind read the terminal in the same way, and end alike. A signal needs no terminal. */
const kindOf = ({outcomes, reads}: Scene, event: Event): string =>
  event.startsWith('SIG') ? event : [event, reads, outcomes[event]].join()

const met = new Set<string>()
/** The soak has every event in every scene; here every twentieth scene has the closed terminal, and each kind of them each event. */
const TABLE = Object.entries(SCENES).flatMap(([name, scene], at) =>
  Object.entries(scene.outcomes)
    .map(([event, outcome]) => ({name, scene, event: event as Event, outcome}))
    .filter(({event}) => {
      if (isWhole || (event === 'the terminal is closed' && at % 20 === 0)) return true
      const kind = kindOf(scene, event)
      return !met.has(kind) && met.add(kind)
    }),
)

// Each has a home, a service and a terminal of its own, and mostly waits for a process to begin.
describe.skipIf(!hasPseudoTerminal)('on a terminal', {concurrent: true}, () => {
  test.for(TABLE)('$name · $event: $outcome', async ({scene, event, outcome}, {onTestFinished}) => {
    const controlling = event !== 'the terminal fails without SIGHUP'
    const {terminal, home, url} = await enter(scene, controlling, onTestFinished)
    await ACTS[event](terminal)
    if (outcome === 'goes on') {
      await pause(300)
      expect(await isAlive(terminal)).toBe(true)
      terminal.signal('SIGTERM')
    }
    const {code, cooked} = await terminal.ended
    expect(code, terminal.output()).toBe(outcome === 'goes on' ? 143 : outcome)
    expect(cooked).not.toBe(false)
    if (cooked !== null) expect(count(terminal.output(), '[?1049h')).toBe(count(terminal.output(), '[?1049l'))
    await until(() => processesOf(home, scene.before === runningJob).length === 0)
    if (scene.unmade !== undefined) expect(readdirSync(home)).not.toContain(scene.unmade)
    if (event !== 'the terminal is closed') return
    const isQuestion = scene.shows !== 'Any key clears this' && scene.outcomes['Ctrl-D'] === 2
    const recorded = scene.recorded ?? (isQuestion ? 0 : undefined)
    if (recorded !== undefined) expect(await recordedIn(home, url)).toBe(recorded)
  })
})

test.skipIf(!hasPseudoTerminal)(
  'an audit trail that is followed loses no entry to a terminal that is gone',
  async ({onTestFinished}) => {
    const scene = SCENES['an audit trail that is followed']
    if (scene === undefined) throw new Error('there is no such scene')
    const {terminal, home} = await enter(scene, false, onTestFinished)
    terminal.close()
    await written(home)
    expect((await terminal.ended).code).toBe(129)
    const position = join(home, 'exported.json')
    const {stdout} = await inProcess(home, `audit export -o ndjson --position ${position}`)
    const seqs = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).seq)
    expect(seqs.at(-1)).toBe(2)
  },
)

async function isAlive({pid}: PseudoTerminal): Promise<boolean> {
  try {
    return process.kill(await pid, 0)
  } catch {
    return false
  }
}

/** How many requests the journal of the service has. */
async function recordedIn(home: string, url: string | undefined): Promise<number> {
  const env = url === undefined ? {} : {CARDCTL_BASE_URL: url}
  const {stdout} = await inProcess(home, 'requests list -o json -p sandbox', env)
  return (JSON.parse(stdout) as unknown[]).length
}

/** The processes that were started in a home, except those of a job that runs beside. */
function processesOf(home: string, hasJob: boolean): readonly string[] {
  return readdirSync('/proc').filter(pid => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`HOME=${home}\0`)) return false
      return !(hasJob && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('list.csv'))
    } catch {
      return false
    }
  })
}

const count = (text: string, part: string): number => text.split(part).length - 1
