import {Failure} from '../errors/failure.ts'
import {nearestName} from '../errors/nearest-name.ts'
import {parseMs, parseYesNo, settingList, variableOf} from '../profiles/index.ts'
import type {GlobalFlags} from './context.ts'
import {OUTPUT_FORMATS} from './flags.ts'
import type {Surroundings} from './surroundings.ts'

type Env = Surroundings['env']

/** An environment variable that isn't a setting of a profile. */
interface GeneralVariable {
  readonly name: string
  readonly meaning: string
  readonly flag?: keyof GlobalFlags
  /** The value of the flag. Without it, other code reads the variable. */
  readonly read?: (text: string, name: string) => unknown
}

function parseFormat(text: string, name: string): string {
  if (OUTPUT_FORMATS.some(format => format === text)) return text
  const meant = nearestName(text, OUTPUT_FORMATS)
  throw new Failure('INPUT_INVALID', {
    message: `${name} must be one of ${OUTPUT_FORMATS.join(', ')}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    effect: 'none',
  })
}

function parseLogFormat(text: string, name: string): string {
  if (text === 'text' || text === 'json') return text
  throw new Failure('INPUT_INVALID', {message: `${name} must be text or json.`, effect: 'none'})
}

function parseCount(text: string, name: string): number {
  const count = Number(text)
  if (/^\d{1,3}$/.test(text) && count <= 100) return count
  throw new Failure('INPUT_INVALID', {
    message: `${name} must be a whole number from 0 to 100.`,
    effect: 'none',
  })
}

/** Variables of commands and of this machine; docs/commands/settings.md has them after the settings. */
export const generalVariables: readonly GeneralVariable[] = [
  {name: 'CARDCTL_PROFILE', flag: 'profile', meaning: 'profile to use'},
  {
    name: 'CARDCTL_OUTPUT',
    flag: 'output',
    read: parseFormat,
    meaning: `format of the result: ${OUTPUT_FORMATS.join(', ')}`,
  },
  {
    name: 'CARDCTL_TIMEOUT',
    flag: 'timeout',
    read: parseMs,
    meaning: 'time limit for a response, such as 30s',
  },
  {
    name: 'CARDCTL_RETRIES',
    flag: 'retries',
    read: parseCount,
    meaning: 'how often to send again after a failure that allows it, from 0 to 100',
  },
  {
    name: 'CARDCTL_YES',
    flag: 'yes',
    read: parseYesNo,
    meaning: '1 answers yes to the same questions as `--yes`, and to no others',
  },
  {name: 'CARDCTL_QUIET', flag: 'quiet', read: parseYesNo, meaning: '1 hides notes and progress'},
  {
    name: 'CARDCTL_NO_HEADER',
    flag: 'no-header',
    read: parseYesNo,
    meaning: '1 omits the header row of tables and CSV',
  },
  {
    name: 'CARDCTL_CSV_SAFE',
    flag: 'csv-safe',
    read: parseYesNo,
    meaning: '1 puts an apostrophe before text that a spreadsheet would run as a formula',
  },
  {
    name: 'CARDCTL_AGENT',
    meaning: 'the name of the agent that runs the command ([Agents](profiles.md#agents))',
  },
  {name: 'CARDCTL_NO_INPUT', flag: 'no-input', meaning: 'if set, never ask'},
  {name: 'CARDCTL_DEBUG', flag: 'debug', meaning: 'if set, log requests and retries to stderr, masked'},
  {
    name: 'CARDCTL_LOG_FORMAT',
    flag: 'log-format',
    read: parseLogFormat,
    meaning: 'format of the lines on stderr: `text`, or `json` for one object on each line',
  },
  {
    name: 'TRACEPARENT',
    meaning:
      'the trace that the command belongs to (W3C Trace Context, with `TRACESTATE`); its requests carry it on',
  },
  {name: 'CARDCTL_TOKEN', meaning: 'a bearer token, in place of the credential of the profile'},
  {name: 'CARDCTL_CONFIG_DIR', meaning: 'folder of the profiles'},
  {name: 'CARDCTL_DATA_DIR', meaning: 'folder of the journal, the audit trail and the embedded sandbox'},
  {name: 'CARDCTL_CACHE_DIR', meaning: 'folder of files that may be deleted at any time'},
  {
    name: 'CARDCTL_KEEP',
    meaning:
      'how long to keep finished requests and bulk jobs, such as 30d (default 90d); `off` keeps them until you prune',
  },
  {name: 'CARDCTL_PAGER', meaning: 'pager for long output (default `PAGER`, then less); `cat` for none'},
  {name: 'CARDCTL_ACCESSIBLE', meaning: '1 for screen readers: plain lines, nothing is redrawn'},
  {name: 'CARDCTL_ASCII', meaning: '1 to draw lines, bars and signs in ASCII'},
]

/** The flags that the environment gives, each with its variable. An empty variable counts as absent. */
export interface FlagFromEnvironment {
  readonly flag: keyof GlobalFlags
  readonly variable: string
  readonly value: unknown
}

/**
 * The flags that the command line leaves to the environment.
 *
 * @param given the flags of the command line.
 * @throws Failure INPUT_INVALID
 */
export function flagsFromEnvironment(
  env: Env,
  given: Readonly<Record<string, unknown>>,
): readonly FlagFromEnvironment[] {
  return generalVariables.flatMap(({name, flag, read}) => {
    const text = env[name]
    if (flag === undefined || read === undefined || text === undefined || text === '') return []
    if (given[flag] !== undefined || (flag === 'output' && given.json === true)) return []
    return [{flag, variable: name, value: read(text, name)}]
  })
}

const PREFIX = 'CARDCTL_'

/** Variables that probably are misspelt: no such variable exists, but one of a similar name does. */
export function misspelt(env: Env): readonly {readonly name: string; readonly meant: string}[] {
  const known = new Set([
    ...generalVariables.map(({name}) => name),
    ...settingList.flatMap(({setting}) => variableOf(setting) ?? []),
  ])
  const names = [...known].map(name => name.slice(PREFIX.length))
  return Object.keys(env).flatMap(name => {
    if (!name.startsWith(PREFIX) || known.has(name) || env[name] === '') return []
    const meant = nearestName(name.slice(PREFIX.length), names)
    return meant === undefined ? [] : [{name, meant: `${PREFIX}${meant}`}]
  })
}
