// Where code of a package stands in our files, its licence has to stand with it.
import {globSync, readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import pjson from '../../package.json' with {type: 'json'}
import {lockedPackages, ROOT} from './lock-file.ts'

const NOTICES = 'THIRD-PARTY-NOTICES.md'
const notices = readFileSync(`${ROOT}${NOTICES}`, 'utf8')

/** The bundler's record of the files in dist/packages, where names are shortened. */
const BUNDLED = '.reports/packages.json'

/** Packages whose files the bundler put into ours; it names each by its path. */
function carried(pattern: string): readonly string[] {
  const names = new Set<string>()
  for (const path of globSync(pattern, {cwd: ROOT})) {
    const text = readFileSync(`${ROOT}${path}`, 'utf8')
    for (const [, name] of text.matchAll(
      /(?:["'/ ])node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\/[\w./-]+\.[cm]?js\b/g,
    )) {
      if (name !== undefined) names.add(name)
    }
  }
  return [...names].sort()
}

const told = [...notices.matchAll(/^## (\S+) (\S+)$/gm)].map(([, name = '', version = '']) => ({
  name,
  version,
}))

describe('third-party code', () => {
  test('stands in the build', () => {
    expect(globSync('dist/**/*.cjs', {cwd: ROOT}).length, 'npm run build makes them').toBeGreaterThan(20)
    expect(carried(BUNDLED)).toEqual(expect.arrayContaining(['@oclif/core', 'ajv', 'undici']))
    expect(carried('src/contract/validators/*.gen.js')).toContain('ajv-formats')
    expect(carried('dist/inspector/*.js')).toEqual(['preact'])
  })

  test('is named, each package that the build itself names', () => {
    const names = told.map(({name}) => name)
    const all = [...carried('dist/**/*.{js,cjs}'), ...carried(BUNDLED)]
    expect(all.filter(name => !names.includes(name))).toEqual([])
    expect(names).toEqual(expect.arrayContaining(['chalk', 'conf', 'inquirer']))
  })

  test('is named with a version that the lock file has, and under its licence', () => {
    const locked = lockedPackages()
    for (const {name, version} of told) {
      const path = locked.find(each => each.name === name && each.version === version)?.path
      expect(path, `${name} ${version}`).toBeDefined()
      const [file] = globSync(`${ROOT}${path}/{LICEN[CS]E,licen[cs]e}*`).sort()
      if (file) expect(notices).toContain(readFileSync(file, 'utf8').trim().replaceAll(/^#/gm, '\\#'))
    }
  })

  test('has the text of its licence: who grants it, and what', () => {
    const sections = notices.split(/^## (?=\S+ \d\S*$)/m).slice(1)
    expect(sections.length).toBe(told.length)
    const short = sections.filter(
      text => text.length < 500 || !/copyright/i.test(text) || !/permission|redistribut|licensor/i.test(text),
    )
    expect(short).toEqual([])
  })

  test('stands in the bill of materials too, and nothing else does', () => {
    const bill = JSON.parse(readFileSync(`${ROOT}dist/sbom.cdx.json`, 'utf8'))
    expect(bill).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata: {component: {name: 'cardctl'}},
    })
    const named = bill.components.map(({name, version}: {name: string; version: string}) => ({name, version}))
    expect(named).toEqual(told)
  })

  test('is not under a licence for whole files, which have to stay as they are', () => {
    expect(told.map(({name}) => name)).not.toContain('@jmespath-community/jmespath')
  })

  test('and the project carry their texts into the package', () => {
    expect(pjson.files).toContain(NOTICES)
    expect(pjson.files).toContain('LICENSE')
  })
})
