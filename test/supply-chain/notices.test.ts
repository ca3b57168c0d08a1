// Packages are installed, not bundled; where code of one stands in our files all the same, its licence has to stand with it.
import {globSync, readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import pjson from '../../package.json' with {type: 'json'}
import {ROOT} from './lock-file.ts'

const NOTICES = 'THIRD-PARTY-NOTICES.md'
const notices = readFileSync(`${ROOT}${NOTICES}`, 'utf8')

/** Packages whose files the bundler put into ours; it names each by its path. */
function carried(pattern: string): readonly string[] {
  const names = new Set<string>()
  for (const path of globSync(pattern, {cwd: ROOT})) {
    const text = readFileSync(`${ROOT}${path}`, 'utf8')
    for (const [, name] of text.matchAll(
      /(?:["'/ ])node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\/[\w./-]+\.m?js\b/g,
    )) {
      if (name !== undefined) names.add(name)
    }
  }
  return [...names].sort()
}

const inValidators = carried('src/contract/validators/*.gen.js')
const inPage = carried('dist/inspector/*.js')
/** What checks requests by a user's document is bundled, since it is read faster as one file. */
const inChecker = carried('dist/shared/validate-*.js')
const inOurs = [...new Set([...inValidators, ...inPage, ...inChecker])].sort()

describe('code of others', () => {
  test('is in the compiled validators', () => {
    expect(inValidators).toContain('ajv-formats')
  })

  test('is in the inspector page', () => {
    expect(inPage).toEqual(['preact'])
  })

  test('is in what checks by documents of users', () => {
    expect(inChecker).toEqual(expect.arrayContaining(['ajv', 'ajv-formats']))
  })

  test('is nowhere else in the build', () => {
    expect(globSync('dist/**/*.js', {cwd: ROOT}).length, 'npm run build makes them').toBeGreaterThan(50)
    expect(carried('dist/**/*.js').filter(name => !inOurs.includes(name))).toEqual([])
  })

  test.each(inOurs)('stands with the licence of %s', name => {
    const {version} = JSON.parse(readFileSync(`${ROOT}node_modules/${name}/package.json`, 'utf8')) as {
      version: string
    }
    const licence = readFileSync(`${ROOT}node_modules/${name}/LICENSE`, 'utf8').trim()
    expect(notices).toContain(`## ${name} ${version}\n`)
    expect(notices).toContain(licence)
  })

  test('is told of for no other package', () => {
    const told = [...notices.matchAll(/^## (\S+) \S+$/gm)].map(([, name]) => name)
    expect(told.sort()).toEqual(inOurs)
  })

  test('and the project carry their texts into the package', () => {
    expect(pjson.files).toContain(NOTICES)
    expect(pjson.files).toContain('LICENSE')
  })
})
