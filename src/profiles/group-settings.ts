import {checkBaseUrl} from './addresses.ts'
import {checkPrefix} from './setting-checks.ts'
import {checkedText, flag, type Read, setting, url} from './value-types.ts'

export const baseUrl = url(checkBaseUrl)

export const groupMembers = {
  baseUrl: setting(baseUrl, {
    doc: 'another address for one group of operations',
    guarded: 'always',
    flag: flag('group-url', 'pairs', 'Another base URL for a group of operations. Repeatable.', 'GROUP=URL'),
  }),
  prefix: setting(checkedText(checkPrefix), {
    guarded: 'if live',
    doc: 'what comes between the address and the path of the operations of a group; nothing by default',
    flag: flag(
      'prefix',
      'pairs',
      'Prefix for the paths of a group of operations. Repeatable.',
      'GROUP=/card',
    ),
  }),
}

/** The base URL of one group of operations, if it differs from that of the profile. */
export type GroupAddress = Read<typeof groupMembers>
