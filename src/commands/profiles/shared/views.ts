import {duration} from '../../../errors/duration.ts'
import {detail} from '../../../output/detail.ts'
import {fieldAt, joined, numberAt, textAt} from '../../../output/fields.ts'
import {alarm, busy, dim, type Span, type Styled} from '../../../output/styled.ts'
import {type Column, table} from '../../../output/table.ts'
import {type ListView, sentence, type View, type ViewContext} from '../../../output/view.ts'
import type {ProfileDetails} from '../../../profiles/index.ts'

/** One stored profile: its settings and the defaults that matter; `-o json` has every field. */
export const profileView: View<ProfileDetails> = (profile, context) => {
  const {
    name,
    kind,
    baseUrl,
    readOnly,
    auditUser,
    bid,
    groups,
    words,
    tls,
    rate,
    panKey,
    webhook,
    machineUser,
  } = profile
  const {teamStore, teamKey, rateStore = teamStore} = profile
  const addressed = Object.entries(groups).flatMap(([group, address]) => {
    const parts = [address?.baseUrl ?? '', address?.prefix ?? '']
    return `${group} ${joined(parts)}${foundIn(profile, `groups.${group}.prefix`)}`
  })
  const others = profile.hosts.filter(host => URL.parse(baseUrl)?.host !== host)
  return detail(
    {
      title: `Profile ${name}`,
      status: kind === 'live' ? alarm('LIVE') : kind,
      rows: [
        ['Base URL', baseUrl],
        ['Socket', profile.socket],
        ['Groups', {lines: addressed}],
        [
          'Words',
          {
            lines: Object.entries(words).map(
              ([word, own]) => `${word} = ${own}${foundIn(profile, `words.${word}`)}`,
            ),
          },
        ],
        ['Answer ids', {lines: Object.entries(profile.answerIds ?? {}).map(([id, at]) => `${id} = ${at}`)}],
        ['Service', {lines: serviceDetailsOf(profile)}],
        ['Dialect', profile.dialect],
        ['Auth', authDetailsOf(profile)],
        ['Credentials go also to', others.join(', ')],
        ['Certificates', joined([tls.ca ? `CA ${tls.ca}` : '', tls.cert ? `client ${tls.cert}` : ''], ', ')],
        ['Client key', tls.key === undefined ? '' : placeOf(tls.key)],
        ['Authorisation calls', {lines: webhook ? webhookDetailsOf(webhook) : []}],
        ['Card number key', joined([panKey?.source ?? '', panKey?.thumbprint ?? ''])],
        ['Audit user', auditUser ?? ''],
        ['Machine user', machineUser ? `${machineUser.name}, responsible ${machineUser.responsible}` : ''],
        ['customerBID', bid ?? ''],
        ['Access', readOnly ? 'read only' : ''],
        ['Plain http', profile.allowInsecure ? 'allowed' : ''],
        ['Tickets', profile.requireTicket ? 'required for every write and disclosure' : ''],
        ['Second person', joined(profile.secondPersonFor.map(String), ', ')],
        ['Ceiling', joined(profile.ceiling.map(String), ', ')],
        ['Proposals', profile.proposals],
        ['Responses', profile.strict ? 'must match the contract' : ''],
        [
          'Idempotency keys',
          joined(
            [
              profile.idempotency === 'all' ? 'honoured by every POST and PATCH' : 'as documented',
              profile.idempotencyHeader === undefined ? '' : `in the header ${profile.idempotencyHeader}`,
            ],
            ', ',
          ),
        ],
        ['Decimals', profile.decimal && `after a ${profile.decimal}`],
        ['Settle delay', duration(profile.settleDelayMs)],
        ['Quota', quotaOf(rate)],
        ['Rate', rateStore && `shared by ${rateStore}`],
        ['Shared jobs', joined([teamStore ? `in ${teamStore}` : '', teamKey ? `key ${teamKey}` : ''], ', ')],
        ['In use', profile.current ? 'yes, by default' : ''],
      ],
    },
    context,
  )
}

/** How the service talks, and where that was found. */
function serviceDetailsOf(profile: ProfileDetails): string[] {
  const {headers = {}, auditUser, envelope, error = {}, arrays, paging = {}, accepted} = profile.service ?? {}
  const from = (name: string) => foundIn(profile, `service.${name}`)
  return [
    ...Object.entries(headers).map(
      ([name, text]) =>
        `header ${name}: ${isReference(text) ? placeOf(text) : text}${from(`headers.${name}`)}`,
    ),
    ...(auditUser === undefined ? [] : [`audit user in ${auditUser}`]),
    ...(envelope === undefined ? [] : [`envelope ${envelope}${from('envelope')}`]),
    ...(arrays === undefined
      ? []
      : [`lists in queries ${arrays === 'brackets' ? 'a[]=1&a[]=2' : 'a=1&a=2'}`]),
    ...Object.entries(paging).map(([id, how]) => `pages of ${id}: ${how}`),
    ...(accepted === undefined ? [] : [acceptedWords(accepted)]),
    ...Object.entries(error).map(([part, pointer]) => `error ${part} ${pointer}${from(`error.${part}`)}`),
  ]
}

/** `, found in service.yaml`; nothing for what was set by hand. */
function foundIn({service}: ProfileDetails, name: string): string {
  const {found = {}} = service ?? {}
  return Object.hasOwn(found, name) ? `, found in ${found[name]}` : ''
}

const acceptedWords = ({
  state,
  done,
  failed,
  timeoutMs,
}: NonNullable<NonNullable<ProfileDetails['service']>['accepted']>): string =>
  `accepted requests: ${state} is ${done.join(', ')} when done, ${failed.join(', ')} when failed; asked for ${duration(timeoutMs)}`

const isReference = (text: string): boolean => /^(?:env|file|cmd):/.test(text)

function authDetailsOf({auth}: ProfileDetails): Styled {
  switch (auth.type) {
    case 'none':
      return 'none'
    case 'basic':
      return `basic, user ${auth.user}, password ${placeOf(auth.password)}`
    case 'bearer':
      return `bearer, token ${placeOf(auth.token)}`
    case 'header':
      return `header ${auth.name}, value ${placeOf(auth.value)}`
    case 'oauth2': {
      const scope = auth.scope === undefined ? '' : `, scope ${auth.scope}`
      return `OAuth 2.0 at ${auth.tokenUrl}, client ${auth.clientId}, secret ${placeOf(auth.clientSecret)}${scope}`
    }
  }
}

function webhookDetailsOf({auth, signature, tls, hosts}: NonNullable<ProfileDetails['webhook']>): string[] {
  const name =
    auth?.type === 'basic' ? `user ${auth.user}, ` : auth?.type === 'header' ? `${auth.name}, ` : ''
  const also = signature?.otherKeys.length ? `, also valid ${signature.otherKeys.join(', ')}` : ''
  return [
    ...(auth ? [`${auth.type}, ${name}secret ${placeOf(auth.secret)}`] : []),
    ...(signature ? [`signed in ${signature.header}, key ${placeOf(signature.key)}${also}`] : []),
    ...(tls.cert === undefined ? [] : [`client certificate ${tls.cert}, key ${placeOf(tls.key ?? '')}`]),
    ...(tls.ca === undefined ? [] : [`CA ${tls.ca}`]),
    ...(hosts.length === 0 ? [] : [`credentials go to ${hosts.join(', ')} and this machine`]),
  ]
}

/** Where a secret is kept. The name under which cardctl stores its own secrets is no use to a person. */
function placeOf(reference: string): string {
  if (reference.startsWith('secretfile:')) return 'in the file for secrets'
  return reference.startsWith('keyring:') ? 'in the keyring' : `from ${reference}`
}

const quotaOf = ({perSecond, perMinute, share}: ProfileDetails['rate']) =>
  `${perSecond} a second, ${perMinute} a minute; a bulk run takes ${Math.round(share * 1000) / 10}%`

/** Stored profiles; a mark shows the current one. */
export const profileListView: ListView = (profiles, context) =>
  table('profile', profileColumns(context), profiles, context, 'No profiles.')

const profileColumns = ({accessible = false}: ViewContext): readonly Column<unknown>[] => [
  {
    title: accessible ? 'Current' : '',
    value: profile => (isCurrent(profile) ? busy(accessible ? 'yes' : '*') : ''),
    fit: 'keep',
    optional: true,
  },
  {title: 'Name', value: profile => nameOf(profile), fit: 'keep'},
  {title: 'Kind', value: profile => kindOf(profile), fit: 'keep'},
  {title: 'Base URL', value: profile => addressOf(profile), fit: 'wrap'},
  {title: 'Auth', value: profile => authOf(profile), optional: true},
  {
    title: 'Access',
    value: profile => (textAt(profile, 'readOnly') === 'true' ? 'read only' : ''),
    optional: true,
  },
]

/** The profile in use, and where each of its values comes from. */
export const whoamiView: View = (result, context) => {
  const from = (name: string): (string | Span)[] => {
    const source = textAt(result, `provenance.${name}.from`)
    return source === '' ? [] : [dim(`  by ${source}`)]
  }
  const sourced = (path: string, name: string): Styled => {
    const value = textAt(result, path)
    return value === '' ? '' : [value, ...from(name)]
  }
  return detail(
    {
      title: joined(['Profile', textAt(result, 'profile')]),
      status: kindOf(result),
      rows: [
        ['Chosen', joined(['by', textAt(result, 'provenance.profile.from')])],
        ['Base URL', sourced('address', 'baseUrl')],
        ['Audit user', sourced('auditUser', 'auditUser')],
        ['Responsible', textAt(result, 'responsible')],
        ['Auth', sourced('auth', 'auth')],
        ['Authorisation calls', textAt(result, 'webhook')],
        ['customerBID', sourced('bid', 'bid')],
        ['Access', textAt(result, 'readOnly') === 'true' ? 'read only' : ''],
        ...itemsAt(result, 'provenance.settings').map(sourcedRow('setting')),
        ...itemsAt(result, 'flags').map(sourcedRow('flag')),
      ],
    },
    context,
  )
}

const sourcedRow =
  (name: 'setting' | 'flag') =>
  (item: unknown): readonly [string, Styled] => [
    `${name === 'flag' ? '--' : ''}${textAt(item, name)}`,
    [textAt(item, 'value'), dim(`  by ${textAt(item, 'from')}`)],
  ]

function itemsAt(result: unknown, path: string): readonly unknown[] {
  const items = fieldAt(result, path)
  return Array.isArray(items) ? items : []
}

/** Highlights a live profile. */
function kindOf(profile: unknown): Styled {
  const kind = textAt(profile, 'kind')
  return kind === 'live' ? alarm('LIVE') : kind
}

const nameOf = (profile: unknown) => textAt(profile, 'name') || textAt(profile, 'profile')
const addressOf = (profile: unknown) =>
  textAt(profile, 'embedded') === 'true'
    ? 'embedded'
    : textAt(profile, 'baseUrl') || textAt(profile, 'address')
const authOf = (profile: unknown) => textAt(profile, 'auth.type') || textAt(profile, 'auth')
const isCurrent = (profile: unknown) =>
  fieldAt(profile, 'current') === true || fieldAt(profile, 'inUse') === true

/** The service of a profile answered. */
export const probeView: View = (probe, context) => {
  const address = textAt(probe, 'address')
  const host = URL.parse(address)?.host ?? address
  const took = duration(numberAt(probe, 'durationMs') ?? 0)
  return sentence(
    `Profile ${textAt(probe, 'profile')}: ${host} answered in ${took}. Requests are logged for ${textAt(probe, 'auditUser')}.`,
    context,
  )
}
