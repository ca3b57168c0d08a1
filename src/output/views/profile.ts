import type {ProfileDetails} from '../../profiles/index.ts'
import {detail} from '../detail.ts'
import {joined} from '../read-member.ts'
import {alarm, type Styled} from '../styled.ts'
import type {View} from '../view.ts'
import {duration} from '../when.ts'

/** One stored profile: what a person has said of it, and the defaults that matter; `-o json` has every member. */
export const profileView: View<ProfileDetails> = (profile, context) => {
  const {name, kind, baseUrl, readOnly, auditUser, bid, groups, words, tls, rate, panKey} = profile
  const addressed = Object.entries(groups).flatMap(([group, address]) => {
    const parts = [address?.baseUrl ?? '', address?.prefix ?? '']
    return `${group} ${joined(parts)}`
  })
  const others = profile.hosts.filter(host => URL.parse(baseUrl)?.host !== host)
  return detail(
    {
      title: `Profile ${name}`,
      status: kind === 'live' ? alarm('LIVE') : kind,
      rows: [
        ['Address', baseUrl],
        ['Groups', {lines: addressed}],
        ['Words', {lines: Object.entries(words).map(([word, own]) => `${word} = ${own}`)}],
        ['Auth', authOf(profile)],
        ['Credentials go also to', others.join(', ')],
        ['Certificates', joined([tls.ca ? `CA ${tls.ca}` : '', tls.cert ? `client ${tls.cert}` : ''], ', ')],
        ['Client key', tls.key === undefined ? '' : placeOf(tls.key)],
        ['Card number key', joined([panKey?.source ?? '', panKey?.thumbprint ?? ''])],
        ['Audit user', auditUser ?? ''],
        ['customerBID', bid ?? ''],
        ['Access', readOnly ? 'read only' : ''],
        ['Plain http', profile.allowInsecure ? 'allowed' : ''],
        ['Answers', profile.strict ? 'must fit the contract' : ''],
        [
          'Idempotency keys',
          profile.idempotency === 'all' ? 'honoured by every POST and PATCH' : 'as documented',
        ],
        ['Settle delay', duration(profile.settleDelayMs)],
        ['Quota', quotaOf(rate)],
        ['In use', profile.current ? 'yes, where nothing else is said' : ''],
      ],
    },
    context,
  )
}

function authOf({auth}: ProfileDetails): Styled {
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

/** Where a secret is. Under which name the tool keeps its own is of no use to a person. */
function placeOf(reference: string): string {
  if (reference.startsWith('secretfile:')) return 'in the file for secrets'
  return reference.startsWith('keyring:') ? 'in the keyring' : `from ${reference}`
}

const quotaOf = ({perSecond, perMinute, share}: ProfileDetails['rate']) =>
  `${perSecond} a second, ${perMinute} a minute; a bulk run takes ${Math.round(share * 1000) / 10} %`
