// A 401 names where the credential comes from, and what replaces it there. An empty one is never stored.
import {readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, type Service} from '../helpers/service.ts'

let home: Home
let service: Service
beforeAll(async () => {
  home = await openHome()
  service = await openService(() => ({status: 401, headers: {}, body: Buffer.from('')}))
  await writeFile(join(home.folder, 'token'), 'tok\n')
})
afterAll(async () => {
  await service.close()
  await home.remove()
})

const add = (name: string, auth: readonly string[], stdin = '') =>
  home.run(
    ['profiles', 'add', name, '--kind', 'test', '--base-url', service.url, '--audit-user', 'me', ...auth],
    {stdin},
  )

it.each<[string, (folder: string) => readonly string[], string, string]>([
  ['kept', () => ['--auth', 'bearer', '--secret', '-'], 'tok\n', 'cardctl profiles edit kept --secret -'],
  ['variable', () => ['--auth', 'bearer', '--secret', 'env:TOK'], '', 'the variable TOK'],
  [
    'file',
    folder => ['--auth', 'bearer', '--secret', `file:${folder}/token`],
    '',
    '/token. Write a valid one there',
  ],
  ['command', () => ['--auth', 'bearer', '--secret', 'cmd:echo tok'], '', 'a command of the profile command'],
  ['none', () => ['--auth', 'none'], '', '--auth bearer --secret -'],
])('with a credential that is %s', async (name, auth, stdin, words) => {
  expect(await add(name, auth(home.folder), stdin)).toMatchObject({code: 0})
  for (const line of [
    ['cards', 'get', '3001', '-p', name],
    ['profiles', 'test', name],
  ]) {
    const {code, stderr} = await home.run(line, {env: {TOK: 'tok'}})
    expect({code, stderr}).toMatchObject({code: 4, stderr: expect.stringContaining(words)})
    expect(stderr).not.toContain('with profiles test')
  }
  const token = await home.run(['cards', 'get', '3001', '-p', name], {env: {TOK: 'tok', CARDCTL_TOKEN: 'x'}})
  if (name !== 'none') expect(token.stderr).toContain('CARDCTL_TOKEN')
})

it('an empty one is refused from a pipe, and asked for again on a terminal', async () => {
  expect(await add('empty', ['--auth', 'bearer', '--secret', '-'], '\n')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The token is empty.'),
  })
  const profiles = await readFile(join(home.folder, '.config/cardctl/profiles.json'), 'utf8')
  expect(profiles).not.toContain('"empty"')
  await add('again', ['--auth', 'bearer', '--secret', 'env:TOK'])
  const {code, stderr} = await home.run(['profiles', 'edit', 'again', '--secret', '-'], {
    columns: 80,
    typed: [
      ['Token:', ''],
      ['The token is empty.', 'tok'],
    ],
  })
  expect({code, stderr}).toMatchObject({code: 0, stderr: expect.not.stringContaining('tok ')})
})
