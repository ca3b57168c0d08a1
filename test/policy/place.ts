import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {PolicyPlace} from '../../src/policy/index.ts'

/** A user that owns nothing here. */
const NOBODY_ELSE = 64_321

/** Writes a policy, and gives its place as a user sees it who can't write it. */
export function placePolicy(folder: string, policy: string | object, name = 'policy.yaml'): PolicyPlace {
  mkdirSync(folder, {recursive: true, mode: 0o755})
  const text = typeof policy === 'string' ? policy : JSON.stringify(policy)
  writeFileSync(join(folder, name), text, {mode: 0o644})
  return {folder, uid: NOBODY_ELSE, groups: []}
}
