// What is read as a document is a file: a pipe could keep the command waiting for ever.
import {execFileSync} from 'node:child_process'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
  execFileSync('mkfifo', [join(home.folder, 'pipe')])
  const document = {openapi: '3.1.0', info: {title: 'T', version: '1'}, paths: {}}
  writeFileSync(join(home.folder, 'own.json'), JSON.stringify(document))
  await home.json(['profiles', 'add', 'own', '--kind', 'test', '--base-url', 'http://127.0.0.1:1'])
})
afterAll(() => home.remove())

const OR_STDIN = 'pass - to read standard input'

it.each([
  [['contract', 'import', 'FILE', '--name', 'a'], OR_STDIN],
  [['contract', 'import', 'OWN', '--name', 'a', '--effects', 'FILE'], 'Save it to a file first.'],
  [['contract', 'map', 'FILE', '-p', 'own'], OR_STDIN],
  [['contract', 'map', 'OWN', '-p', 'own', '--answers', 'FILE'], OR_STDIN],
  [['webhook', 'rules', 'check', 'FILE'], 'Save it to a file first.'],
  [['webhook', 'test', 'FILE', '--show'], 'Save it to a file first.'],
  [['webhook', 'certify', '--verify', 'FILE'], 'Save it to a file first.'],
])('%j is refused at once', async (words, hint) => {
  for (const file of [join(home.folder, 'pipe'), '/dev/null']) {
    const known: Record<string, string> = {FILE: file, OWN: join(home.folder, 'own.json')}
    const {code, stderr} = await home.run(words.map(word => known[word] ?? word))
    expect([code, stderr]).toEqual([2, expect.stringMatching(/is not a regular file\.\n/)])
    expect(stderr).toContain(hint)
  }
})
