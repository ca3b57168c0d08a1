import {chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {afterEach, beforeEach, expect, it} from 'vitest'
import {findPolicy} from '../../src/policy/index.ts'
import {placePolicy} from './place.ts'

const GOOD = {policy: 1, profiles: {prod: {hosts: ['api.example']}}}

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'policy-'))
  chmodSync(root, 0o755)
})
afterEach(() => rmSync(root, {recursive: true}))

const folder = () => join(root, 'etc')

it('finds the file of another user, in YAML and JSON', async () => {
  for (const name of ['policy.yaml', 'policy.json']) {
    const place = placePolicy(folder(), GOOD, name)
    const found = await findPolicy(place)
    expect(found).toMatchObject({policy: {path: join(folder(), name), profiles: GOOD.profiles}})
    rmSync(folder(), {recursive: true})
  }
})

it('is without a policy where there is no file, or no folder', async () => {
  expect(await findPolicy({folder: folder(), uid: 1, groups: []})).toBeUndefined()
  mkdirSync(folder())
  expect(await findPolicy({folder: folder(), uid: 1, groups: []})).toBeUndefined()
})

const problem = async (change: (file: string) => void, uid?: number, groups: number[] = []) => {
  const place = placePolicy(folder(), GOOD)
  change(join(folder(), 'policy.yaml'))
  const found = await findPolicy({...place, uid: uid ?? place.uid, groups})
  return found && 'problem' in found ? found.problem : found
}

const inPlaceOf = (file: string, make: () => void): void => {
  rmSync(file)
  make()
}

it.each<[what: string, change: (file: string) => void, why: RegExp]>([
  ['everybody can write', file => chmodSync(file, 0o646), /you can write it/],
  [
    'is in a folder that everybody can write',
    file => chmodSync(join(file, '..'), 0o777),
    /etc cannot be used/,
  ],
  ['is a link', file => inPlaceOf(file, () => symlinkSync('/etc/passwd', file)), /it is a link/],
  ['is a folder', file => inPlaceOf(file, () => mkdirSync(file)), /not a regular file/],
  ['is not text', file => writeFileSync(file, Buffer.from([0xff, 0xfe])), /not UTF-8/],
  ['is empty', file => writeFileSync(file, ''), /policy\.yaml:1:1/],
  ['is too large', file => writeFileSync(file, ' '.repeat(5_000_000)), /too large/],
  [
    'has an unknown field',
    file => writeFileSync(file, 'policy: 1\nprofiles: {}\nallow: all\n'),
    /:3:1: allow/,
  ],
  ['is there twice', file => writeFileSync(file.replace('yaml', 'json'), '{}'), /two policies/],
])('refuses a file that %s', async (_what, change, why) => {
  expect(await problem(change)).toMatch(why)
})

it('refuses a file of the caller, and one that a group of the caller can write', async () => {
  const own = process.getuid?.() ?? 0
  expect(await problem(() => undefined, own === 0 ? 64_322 : own)).toEqual(
    own === 0 ? {policy: expect.anything()} : expect.stringMatching(/belongs to you/),
  )
  rmSync(folder(), {recursive: true})
  expect(await problem(file => chmodSync(file, 0o664), 64_321, [process.getgid?.() ?? 0])).toMatch(
    /you can write it/,
  )
})
