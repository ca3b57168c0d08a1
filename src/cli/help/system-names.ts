// Codes and error lines of the systems around, with what explains each: from what maps such codes.
import {STATUS_CODES} from 'node:http'
import {getSystemErrorMap} from 'node:util'
import {type Blame, wordsFor} from '../../errors/blame.ts'
import {isDiskFull} from '../../errors/disk-full.ts'
import {type ErrorCode, errorRegistry} from '../../errors/registry.ts'
import {fileReasons} from '../../errors/system-reason.ts'
import {networkCodes, networkFault} from '../../http/network-fault.ts'
import {databaseReasons} from '../../postgres/reasons.ts'
import {portReasons} from '../serving/run-server.ts'
import {type Explained, wordsOfName} from './explained.ts'
import {PRINTED_BY_CODE, PRINTED_BY_PROGRAMS} from './printed.ts'
import {phrasesIn} from './terms.ts'

const WRONG = 'docs/when-things-go-wrong.md'
const ERRORS = 'docs/commands/errors.md'

/** Those that are told apart by no more than their kind. */
const OTHER_NETWORK_CODES = ['ERR_SSL_WRONG_VERSION_NUMBER', 'EPROTO']

/** Codes of the network, of TLS, of files, of PostgreSQL and of HTTP. */
export function namesOfSystems(): readonly Explained[] {
  const messages = new Map([...getSystemErrorMap().values()].map(([name, message]) => [name, message]))
  const network = [...networkCodes, ...OTHER_NETWORK_CODES].map((name): Explained[] => {
    const {code, blame} = networkFault(Object.assign(new Error(name), {code: name}))
    return systemCode(name, code, sayOf(code, blame))
  })
  const files = Object.entries(fileReasons).map(([name, reason]) => {
    const code = isDiskFull(Object.assign(new Error(name), {code: name})) ? 'DISK_FULL' : 'CONFIG_UNREADABLE'
    return systemCode(name, code, `${reason}. ${errorRegistry[code].hint}`, messages.get(name))
  })
  const ports = Object.entries(portReasons).map(([name, reason]) =>
    systemCode(
      name,
      'PORT_UNAVAILABLE',
      `${reason}. ${errorRegistry.PORT_UNAVAILABLE.hint}`,
      messages.get(name),
    ),
  )
  const database = Object.entries(databaseReasons).flatMap(([name, reason]): Explained[] =>
    /^E|_/.test(name)
      ? []
      : ['docs/team-sandbox.md', 'docs/fleet.md'].map((entry, rank) => [
          entry,
          {name, line: `${name}: the database says that ${reason}. ${wordsFor('database').hint}`, rank},
        ]),
  )
  const http = Object.entries(STATUS_CODES).flatMap(([status, says = '']) => {
    const code = errorOfStatus(Number(status))
    if (code === undefined) return []
    return systemCode(status, code, `${errorRegistry[code].summary}. ${errorRegistry[code].hint}`, says)
  })
  return [
    ...[...network.flat(), ...files.flat(), ...ports.flat(), ...database].map(withSentences),
    ...namesOfExits(),
    ...http,
    ...PRINTED_BY_PROGRAMS.flatMap(printedBy),
  ]
}

/** With the sentences that stand for the code in an error line. */
const withSentences = ([entry, named]: Explained): Explained => {
  const printed = PRINTED_BY_CODE[named.name]
  return [entry, printed === undefined ? named : {...named, printed: phrasesIn(printed)}]
}

const printedBy = ({
  name,
  printed,
  code,
  says,
  pages = [WRONG, ERRORS],
}: (typeof PRINTED_BY_PROGRAMS)[number]) =>
  pages.map((entry, rank): Explained => {
    const meaning = [says, ...(code === undefined ? [] : [errorRegistry[code].hint])].join('. ')
    return [
      entry,
      {
        name,
        line: `${name}${code === undefined ? '' : ` (${code})`}: ${meaning}`,
        rank,
        printed: phrasesIn(printed),
      },
    ]
  })

/** `exit 13`, as the search reads what is typed. */
function namesOfExits(): readonly Explained[] {
  const byExit = Map.groupBy(Object.values(errorRegistry), ({exit}) => exit)
  return [...byExit].flatMap(([exit, entries]) => {
    const line = `exit ${exit}: ${entries.map(({summary}) => summary).join('; ')}`
    return [WRONG, 'help exit-codes'].map(
      (entry, rank): Explained => [entry, {name: `exit ${exit}`, line, rank}],
    )
  })
}

const sayOf = (code: ErrorCode, blame: Blame): string =>
  `${wordsFor(blame).now}. ${wordsFor(blame).hint ?? errorRegistry[code].hint}`

const systemCode = (name: string, code: ErrorCode, meaning: string, says = wordsOfName(name)): Explained[] =>
  [WRONG, ERRORS].map(
    (entry, rank): Explained => [entry, {name, says, line: `${name} (${code}): ${meaning}`, rank}],
  )

/** As the summaries of the registry name them. */
function errorOfStatus(status: number): ErrorCode | undefined {
  const named = (Object.entries(errorRegistry) as [ErrorCode, {summary: string}][]).find(([, {summary}]) =>
    new RegExp(`\\([\\d, ]*\\b${status}\\b[\\d, ]*\\)`).test(summary),
  )
  if (named !== undefined) return named[0]
  // After a write, nobody knows what a gateway's response says of it.
  if (status >= 500 || status === 408 || status === 425) return 'EFFECT_UNKNOWN'
  return status >= 400 ? 'REFUSED' : undefined
}
