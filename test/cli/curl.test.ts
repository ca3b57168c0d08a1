// The printed curl line, run by real shells with a curl that only says how it was called.
import {execFile} from 'node:child_process'
import {chmod, mkdtemp, readdir, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {promisify} from 'node:util'
import fc from 'fast-check'
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {asCurl} from '../../src/cli/preview.ts'
import type {Preview} from '../../src/http/send-types.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {type Home, openHome} from '../helpers/cli.ts'

const SHELLS = ['/bin/sh', '/bin/bash']
const NASTY = [
  '$(touch hit)',
  '`touch hit`',
  '$HOME',
  '|',
  '&',
  ';',
  '*',
  '!!',
  "'",
  '"',
  '\\',
  '#',
  '~',
  '\n',
  '{a,b}',
  '%',
  '--',
]

let folder: string
let home: Home
beforeAll(async () => {
  home = await openHome()
  folder = await mkdtemp(join(tmpdir(), 'cardctl-curl-'))
  await writeFile(join(folder, 'curl'), `#!/bin/sh\nfor word; do printf '%s\\0' "$word"; done\n`)
  await chmod(join(folder, 'curl'), 0o755)
})
afterAll(async () => {
  await rm(folder, {recursive: true, force: true})
  await home.remove()
})

/** What curl is called with, which must be the same in every shell. */
async function wordsOf(line: string, variables: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const env = {PATH: `${folder}:/usr/bin:/bin`, HOME: folder, ...variables}
  const [first = [], ...others] = await Promise.all(
    SHELLS.map(async shell => {
      const {stdout} = await promisify(execFile)(shell, ['-c', line], {env, cwd: folder})
      return stdout.split('\0').slice(0, -1)
    }),
  )
  for (const other of others) expect(other).toEqual(first)
  expect(await readdir(folder)).toEqual(['curl'])
  return first
}

const valuesOf = (words: readonly string[], flag: string): string[] =>
  words.flatMap((word, at) => (word === flag ? [words[at + 1] ?? ''] : []))

describe('the curl line of a request', () => {
  const nasty = fc
    .array(fc.oneof(fc.constantFrom(...NASTY), fc.string({maxLength: 5})), {maxLength: 5})
    .map(parts => parts.join('').replaceAll('\0', ''))
  const token = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,12}$/)

  it('passes the exact bytes to curl, with nothing for the shell to expand', async () => {
    await fc.assert(
      fc.asyncProperty(nasty, nasty, token, nasty, nasty, async (url, body, header, value, secret) => {
        const preview: Preview = {
          method: 'POST',
          url: `https://api.example/${url}`,
          headers: {[`x${header}`]: value, [`y${header}`]: new Secret('hidden')},
          body: {[`m${body}`]: body, pinBlock: new Secret('hidden')},
        }
        const {line, variables} = asCurl(preview, {tls: {ca: `/${url}`, cert: `/${body}`, key: `/${value}`}})
        const values = Object.fromEntries(variables.map(({name}, at) => [name, `${at}${secret}`]))
        const words = await wordsOf(line, values)
        expect(line).not.toContain('hidden')
        expect(words.at(-1)).toBe(preview.url)
        expect(words).toContain('--globoff')
        expect(valuesOf(words, '--header')).toEqual([`x${header}: ${value}`, `y${header}: 0${secret}`])
        expect(valuesOf(words, '--data')).toEqual([
          `{${JSON.stringify(`m${body}`)}:${JSON.stringify(body)},"pinBlock":"1${secret}"}`,
        ])
        expect([valuesOf(words, '--cacert'), valuesOf(words, '--cert'), valuesOf(words, '--key')]).toEqual([
          [`/${url}`],
          [`/${body}`],
          [`/${value}`],
        ])
      }),
      {numRuns: 12},
    )
  }, 120_000)

  it.each(['path', 'home', 'ifs', 'ps4', 'bash-env', 'https-proxy', '1st'])(
    'a header %s takes no variable that shells go by',
    async name => {
      const {line, variables} = asCurl({
        method: 'GET',
        url: 'https://a.example/',
        headers: {[name]: new Secret('')},
      })
      expect(valuesOf(await wordsOf(line, {[variables[0]?.name ?? '']: 'token'}), '--header')).toEqual([
        `${name}: token`,
      ])
    },
  )

  it('two secrets of one name are two variables', () => {
    const body = [{pin: new Secret('1')}, {pin: new Secret('2')}]
    const {variables} = asCurl({method: 'POST', url: 'https://a.example/', headers: {}, body})
    expect(variables.map(({name}) => name)).toEqual(['PIN', 'PIN_2'])
  })
})

describe('--curl of a profile', () => {
  const add = async (name: string, ...flags: string[]) => {
    const url = `https://${name}.example`
    const argv = ['profiles', 'add', name, '--kind', 'test', '--base-url', url, ...flags]
    expect(await home.run(argv)).toMatchObject({code: 0})
  }
  const curl = (name: string) => home.run(['cards', 'get', '3001', '--curl', '-p', name])

  it.each([
    ['a', 'x-`touch`'],
    ['b', 'x-$(touch'],
    ['c', 'x|touch'],
    ['d', "x'touch'"],
  ])('%s: a header named %s runs nothing', async (name, header) => {
    const argv = ['profiles', 'add', name, '--kind', 'test', '--base-url', `https://${name}.example`]
    const added = await home.run([
      ...argv,
      '--auth',
      'header',
      '--header-name',
      header,
      '--secret',
      'env:KEY',
    ])
    // Braces and parentheses are in no name of a header (RFC 9110, 5.6.2); backticks, pipes and quotes may be.
    if (/[(){}]/.test(header)) return expect(added).toMatchObject({code: 2})
    expect(added).toMatchObject({code: 0})
    const {stdout, stderr} = await curl(name)
    const [, variable = ''] = /set (\w+) to the value of the header/.exec(stderr) ?? []
    expect(valuesOf(await wordsOf(stdout, {[variable]: 'key'}), '--header')).toContain(`${header}: key`)
  })

  it('has its certificates', async () => {
    const [ca, cert, key] = ['ca.pem', 'it is cert.pem', 'key.pem'].map(file => join(home.folder, file))
    const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
    for (const file of [ca, cert, key]) await writeFile(String(file), pem)
    const tls = ['--ca', String(ca), '--cert', String(cert)]
    await add('tls-file', ...tls, '--cert-key', `file:${key}`)
    const words = await wordsOf((await curl('tls-file')).stdout)
    expect([valuesOf(words, '--cacert'), valuesOf(words, '--cert'), valuesOf(words, '--key')]).toEqual([
      [ca],
      [cert],
      [key],
    ])
    await add('tls-env', ...tls, '--cert-key', 'env:KEY')
    const {stdout, stderr} = await curl('tls-env')
    expect(valuesOf(await wordsOf(stdout, {CLIENT_KEY_FILE: 'here'}), '--key')).toEqual(['here'])
    expect(stderr).toContain(
      "set CLIENT_KEY_FILE to the path of a file with the client certificate's private key",
    )
  })

  it.each([
    [
      'basic',
      ['--user', 'ops', '--secret', 'env:PASS'],
      /set AUTHORIZATION to "Basic " and the base64 of ops:PASSWORD.*from env:PASS/,
    ],
    [
      'bearer',
      ['--secret', 'file:/token'],
      /set AUTHORIZATION to "Bearer " and the token .*from file:\/token/,
    ],
    [
      'oauth2',
      ['--client-id', 'me', '--token-url', 'https://login.example/token', '--secret', 'env:S'],
      /set AUTHORIZATION to "Bearer " and an access token from https:\/\/login\.example\/token for the client me/,
    ],
    ['none', [], /^(?!.*Before you run it)/s],
  ])('says what stands for the credentials of %s', async (auth, flags, says) => {
    await add(`auth-${auth}`, '--auth', auth, ...flags)
    expect((await curl(`auth-${auth}`)).stderr).toMatch(says)
  })
})
