import {isObject} from '../errors/is-object.ts'
import {looseningsOf} from './loosening.ts'
import type {EditedDocument, ProfilesDocument} from './read-profile.ts'
import {fixed} from './setting-change.ts'
import type {ProfileChange} from './surroundings.ts'

export function changesOf(before: ProfilesDocument, after: EditedDocument): readonly ProfileChange[] {
  const loosenings = looseningsOf(before.profiles, after.profiles)
  const names = new Set([...before.profiles.keys(), ...after.profiles.keys()])
  const changed = [...names].flatMap((profile): readonly ProfileChange[] => {
    const settings = settingsIn(before.profiles.get(profile), after.profiles.get(profile))
    const what = !after.profiles.has(profile) ? 'remove' : before.profiles.has(profile) ? 'edit' : 'add'
    const loosened = loosenings
      .filter(each => profile === (each.by ?? each.profile))
      .flatMap(({changes}) => changes)
      .map(({setting, from = 'not set', to = 'not set'}) => `${setting} ${from} → ${to}`)
    return what === 'edit' && settings.length === 0 ? [] : [{profile, what, settings, loosened}]
  })
  const {current} = after
  const isOther = current !== undefined && current !== before.current
  return [
    ...changed,
    ...(isOther ? [{profile: current, what: 'use', settings: [], loosened: []} as const] : []),
  ]
}

function settingsIn(before: unknown, after: unknown): readonly string[] {
  const [old, now] = [isObject(before) ? before : {}, isObject(after) ? after : {}]
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap(name =>
    fixed(old[name], now[name], name).map(({setting}) => setting),
  )
}
