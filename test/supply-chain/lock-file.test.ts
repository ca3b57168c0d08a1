// What `npm audit` would be asked for and not every registry answers: what comes in with the packages.
import {describe, expect, test} from 'vitest'
import pjson from '../../package.json' with {type: 'json'}
import {lockedPackages} from './lock-file.ts'

const packages = lockedPackages()
const production = packages.filter(({development}) => !development)

/** Packages that may run a script when they are installed, and why. */
const INSTALL_SCRIPTS: Readonly<Record<string, string>> = {
  node: 'fetches the runtime for this platform; tools/verify-runtime.js compares its checksum afterwards',
  esbuild: 'only makes its start faster; switched off by allowScripts',
}

/** Licences that ask for no more than their text and a notice. */
const LICENCES = [
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Python-2.0',
  '(MIT OR CC0-1.0)',
  'MIT OR Apache-2.0',
]

/** Packages under another licence, and why that is all right. */
const LICENCE_EXCEPTIONS: readonly {name: RegExp; license: string; reason: string}[] = [
  {
    name: /^@jmespath-community\/jmespath$/,
    license: 'MPL-2.0',
    reason: 'installed as it is published, never changed and never bundled: its files stay its own',
  },
  {
    name: /^fast-sha256$/,
    license: 'Unlicense',
    reason: 'public domain; comes with the library that tests signatures, and is never packed',
  },
  {
    name: /^argparse$/,
    license: 'PSF-2.0',
    reason: 'permissive; comes with js-yaml for its own command line, and is never loaded',
  },
  {
    name: /^axe-core$/,
    license: 'MPL-2.0',
    reason: 'tests the page; nothing of it is shipped',
  },
  {
    name: /^lightningcss(-.+)?$/,
    license: 'MPL-2.0',
    reason: 'comes with the test runner; nothing of it is shipped',
  },
  {
    name: /^caniuse-lite$/,
    license: 'CC-BY-4.0',
    reason: 'data of browsers that comes with the mutation tester; nothing of it is shipped',
  },
]

/** Packages in the tree of a user. Of the keyring's, one for each platform, a machine installs only its own. */
const MOST_PACKAGES = 15

describe('the lock file', () => {
  test('is read at all', () => {
    expect(packages.length).toBeGreaterThan(300)
    expect(production.map(({name}) => name)).toContain('@napi-rs/keyring')
    expect(production.map(({name}) => name)).not.toContain('undici')
  })

  test('lets exactly the known packages run a script at their installation', () => {
    const found = packages.filter(({installScript}) => installScript).map(({name}) => name)
    expect(found.sort()).toEqual(Object.keys(INSTALL_SCRIPTS).sort())
    expect(Object.keys(pjson.allowScripts).sort()).toEqual(found)
    expect(pjson.allowScripts).toEqual({node: true, esbuild: false})
  })

  test('brings no install script to a user of the packed tool', () => {
    expect(production.filter(({installScript}) => installScript)).toEqual([])
  })

  test('holds only licences that are allowed', () => {
    const others = packages.filter(
      ({name, license}) =>
        !LICENCES.includes(license) &&
        !LICENCE_EXCEPTIONS.some(exception => exception.name.test(name) && exception.license === license),
    )
    expect(others.map(({path, license}) => `${path}: ${license}`)).toEqual([])
  })

  test('still needs every licence and exception that is listed', () => {
    const unused = LICENCES.filter(licence => !packages.some(({license}) => license === licence))
    const idle = LICENCE_EXCEPTIONS.filter(({name}) => !packages.some(each => name.test(each.name)))
    expect([...unused, ...idle]).toEqual([])
  })

  test('keeps the tree of a user small', () => {
    expect(production.length).toBeLessThanOrEqual(MOST_PACKAGES)
  })

  test('names no registry, so that it works with any', () => {
    expect(packages.filter(({resolved}) => resolved !== undefined).map(({path}) => path)).toEqual([])
  })

  test('knows the contents of every package', () => {
    const unknown = packages.filter(({integrity}) => !integrity?.startsWith('sha512-'))
    expect(unknown.map(({path}) => path)).toEqual([])
  })

  test('has exact versions', () => {
    const wanted = {...pjson.dependencies, ...pjson.devDependencies}
    for (const [name, version] of Object.entries(wanted)) {
      // A package may be here twice, the second time under another name.
      const [, exact] = /^(?:npm:[\w-]+@)?(\d+\.\d+\.\d+)$/.exec(version) ?? []
      expect(exact, `${name}: ${version}`).toBeDefined()
      expect(packages.find(({path}) => path === `node_modules/${name}`)?.version, name).toBe(exact)
    }
  })
})
