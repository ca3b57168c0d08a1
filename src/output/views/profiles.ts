import {detail} from '../detail.ts'
import {memberAt} from '../members.ts'
import {joined, textAt} from '../read-member.ts'
import {alarm, busy, dim, type Span, type Styled} from '../styled.ts'
import {type Column, table} from '../table.ts'
import type {ListView, View} from '../view.ts'

/** Stored profiles; the one in use carries a mark. */
export const profileListView: ListView = (profiles, context) =>
  table(profileColumns, profiles, context, 'No profiles.')

const profileColumns: readonly Column<unknown>[] = [
  {title: '', value: profile => (isCurrent(profile) ? busy('*') : ''), fit: 'keep', optional: true},
  {title: 'Name', value: profile => nameOf(profile), fit: 'keep'},
  {title: 'Kind', value: profile => kindOf(profile), fit: 'keep'},
  {title: 'Address', value: profile => addressOf(profile), fit: 'wrap'},
  {title: 'Auth', value: profile => authOf(profile), optional: true},
  {
    title: 'Access',
    value: profile => (textAt(profile, 'readOnly') === 'true' ? 'read only' : ''),
    optional: true,
  },
]

/** Who would act where, and what decided each of it. */
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
        ['Address', sourced('address', 'baseUrl')],
        ['Audit user', sourced('auditUser', 'auditUser')],
        ['Auth', sourced('auth', 'auth')],
        ['customerBID', sourced('bid', 'bid')],
        ['Access', textAt(result, 'readOnly') === 'true' ? 'read only' : ''],
      ],
    },
    context,
  )
}

/** A live profile must not be overlooked. */
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
  memberAt(profile, 'current') === true || memberAt(profile, 'inUse') === true
