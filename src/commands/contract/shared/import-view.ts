import type {Fault, ImportResult, SecurityScheme} from '../../../imported/index.ts'
import {count, counted} from '../../../money/amount.ts'
import {blocks, section, sentence, type ViewContext} from '../../../output/view.ts'
import {shownLine} from '../../x/shared/contracts.ts'

const MOST_TAGS = 30
const MOST_FAULTS = 25

/** The result of an import: the new commands, what they need, and what was left out. */
export function importView(result: ImportResult & {readonly profile: string}, context: ViewContext): string {
  const {facts, profile} = result
  return blocks(
    sentence(
      `${facts.name}: ${counted(facts.operations, 'command')} from ${facts.title} ${facts.version} (${facts.openapi === '2.0' ? 'Swagger' : 'OpenAPI'} ${facts.openapi}) in the profile ${profile}.`,
      context,
    ),
    tagsOf(result, context),
    effectsOf(result, context),
    contradictedOf(result, context),
    fieldsOf(result, context),
    adviceOf(result, context),
    faultsOf(result, context),
  )
}

function tagsOf({tags}: ImportResult, context: ViewContext): string {
  const entries = Object.entries(tags)
  const width = Math.max(0, ...entries.slice(0, MOST_TAGS).map(([tag]) => tag.length))
  const lines = entries
    .slice(0, MOST_TAGS)
    .map(([tag, number]) => sentence(` x ${tag.padEnd(width)}  ${count(number)}`, context))
  const more = entries.length - MOST_TAGS
  return [...lines, ...(more > 0 ? [sentence(` and ${more} more: cardctl x`, context)] : [])].join('\n')
}

function effectsOf({effects}: ImportResult, context: ViewContext): string {
  const {read, disclose, write, destroy} = effects
  return sentence(
    `${count(read)} read, ${count(disclose)} hand out a secret, ${count(write)} write, ${count(destroy)} destroy. To change that: --effects FILE.`,
    context,
  )
}

/** A wrong effect sends what nobody was asked about. */
function contradictedOf({contradicted}: ImportResult, context: ViewContext): string | undefined {
  if (contradicted.length === 0) return undefined
  const lines = contradicted
    .slice(0, MOST_FAULTS)
    .map(({command, request, effect, documentEffect}) =>
      sentence(`  ${shownLine(`${command}: ${effect}, but ${request} is a ${documentEffect}`)}`, context),
    )
  const more = contradicted.length - MOST_FAULTS
  const all = [...lines, ...(more > 0 ? [sentence(`  and ${count(more)} more; see -o json`, context)] : [])]
  return section(
    `The document contradicts your effects (${count(contradicted.length)})`,
    all.join('\n'),
    context,
  )
}

/** What fields were taken for: a person may know better. */
function fieldsOf({facts, fields}: ImportResult, context: ViewContext): string | undefined {
  const names = Object.entries(fields)
  if (names.length === 0) return undefined
  const parts = [
    ['secret', 'hidden'],
    ['personal', 'personal'],
    ['id', 'ids'],
  ].flatMap(([kind, words]) => {
    const some = names.filter(([, taken]) => taken.kind === kind).map(([name]) => shownLine(name, 40))
    if (some.length === 0) return []
    return [`${count(some.length)} ${words} (${some.slice(0, 4).join(', ')}${some.length > 4 ? ' …' : ''})`]
  })
  return sentence(
    `Fields by name: ${parts.join(', ')}. To see why: contract show --secrets --contract ${facts.name}. To change that: --secrets FILE.`,
    context,
  )
}

function adviceOf({facts, securitySchemes, webhooks, renamed}: ImportResult, context: ViewContext): string {
  const [server] = facts.servers
  const path = server === undefined ? '' : pathOf(server)
  const schemes = Object.values(securitySchemes).map(schemeWords)
  const lines = [
    ...(server === undefined
      ? []
      : [
          `The document's servers (${facts.servers.slice(0, 4).join(', ')}${facts.servers.length > 4 ? ' …' : ''}) are never called: requests go to the profile's base URL.`,
        ]),
    ...(path !== '' && facts.prefix === ''
      ? [`Its paths start at ${path} there. If the base URL lacks it, import again with --prefix ${path}.`]
      : []),
    ...(schemes.length === 0 ? [] : [`It authenticates with ${[...new Set(schemes)].join(', or ')}.`]),
    ...(webhooks > 0
      ? [`The service makes its ${counted(webhooks, 'webhook call')} itself: there is no command for them.`]
      : []),
    ...renamed
      .slice(0, 10)
      .map(({operation, tag, name, wanted}) => `${operation} is x ${tag} ${name}: ${wanted} was taken.`),
    ...(renamed.length > 10 ? [`${renamed.length - 10} more got a number behind their names.`] : []),
  ]
  return lines.map(line => sentence(line, context)).join('\n')
}

function pathOf(server: string): string {
  const path = server.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/\/+$/, '')
  return /^(?:\/[\w.~-]+)+$/.test(path) ? path : ''
}

/** The flags of a profile for this security scheme. */
function schemeWords({type, scheme, in: place, name = ''}: SecurityScheme): string {
  switch (type) {
    case 'http':
      return scheme === 'basic' ? '--auth basic' : '--auth bearer'
    case 'apiKey':
      return `--auth header --header-name ${name}${place === 'header' ? '' : ` (sent as a ${place === 'query' ? 'query parameter' : 'cookie'})`}`
    case 'oauth2':
      return '--auth oauth2 or --auth bearer'
    case 'openIdConnect':
      return '--auth bearer'
    case 'mutualTLS':
      return '--cert and --cert-key'
  }
}

function faultsOf({faults}: ImportResult, context: ViewContext): string {
  if (faults.length === 0) return ''
  const leftOut = faults.filter(({consequence}) => consequence === 'left out')
  const unchecked = faults.filter(({consequence}) => consequence === 'unchecked')
  return blocks(
    partOf('Left out', leftOut, context),
    partOf('Not checked', unchecked, context),
    leftOut.length > 0 ? sentence('Fix these in the document and import it again.', context) : undefined,
  )
}

function partOf(title: string, faults: readonly Fault[], context: ViewContext): string | undefined {
  if (faults.length === 0) return undefined
  const lines = faults.slice(0, MOST_FAULTS).map(fault => sentence(`  ${faultWords(fault)}`, context))
  const more = faults.length - MOST_FAULTS
  const all = [...lines, ...(more > 0 ? [sentence(`  and ${count(more)} more; see -o json`, context)] : [])]
  return section(`${title} (${count(faults.length)})`, all.join('\n'), context)
}

function faultWords({file, line, pointer, operation, message}: Fault): string {
  const place = [file, ...(line === undefined ? [] : [line])].join(':')
  return [operation, message, [place, pointer].filter(text => text !== '').join(' ')]
    .filter(text => text !== undefined && text !== '')
    .join(' · ')
}
