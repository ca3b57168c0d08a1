import {readdir, readFile, stat, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {expect, it} from 'vitest'
import {json, useShop} from './imported-shop.ts'

const shop = useShop()

const PDF = Buffer.concat([
  Buffer.from('%PDF-1.7\n'),
  Buffer.from([0xff, 0xfe, 0, 13, 10, 0x80]),
  Buffer.from('%%EOF'),
])
const file = (name: string): string => join(shop().folder, name)
const content = (type: string) => ({responses: {200: {content: {[type]: {schema: {type: 'string'}}}}}})
const PATHS = {
  '/statements/{id}': {
    get: {
      operationId: 'getStatement',
      parameters: [{name: 'id', in: 'path', required: true, schema: {type: 'string'}}],
      ...content('application/pdf'),
    },
  },
  '/letters': {post: {operationId: 'makeLetter', ...content('application/pdf')}},
  '/rows': {get: {operationId: 'getRows', ...content('text/csv')}},
  '/plain': {get: {operationId: 'getPlain', responses: {200: json({type: 'object'})}}},
}
const answers = (type: string, body: Buffer | string, status = 200) => {
  shop().answer = () => ({status, headers: {'content-type': type}, body: Buffer.from(body)})
}
const GET = ['x', 'statements', 'get-statement', '7']

it('saves a response byte by byte, and says what it is', async () => {
  await shop().importPaths(PATHS)
  answers('application/pdf; v=1', PDF)
  const saved = await shop().run([...GET, '--save', file('a.pdf')])
  expect(saved).toMatchObject({code: 0, stdout: ''})
  expect(saved.stderr).toContain(`application/pdf, ${PDF.length} bytes, saved to ${file('a.pdf')}`)
  expect(await readFile(file('a.pdf'))).toEqual(PDF)
  if (process.platform !== 'win32') expect((await stat(file('a.pdf'))).mode & 0o777).toBe(0o600)
  const again = await shop().run([...GET, '--save', file('b.pdf'), '-o', 'json'])
  expect(JSON.parse(again.stdout)).toEqual({type: 'application/pdf', size: PDF.length, file: file('b.pdf')})
})

it('replaces no file, and finds that out before it sends anything', async () => {
  await shop().importPaths(PATHS)
  answers('application/pdf', PDF)
  await writeFile(file('a.pdf'), 'mine')
  const before = shop().requested().length
  for (const line of [GET, ['x', 'letters', 'make-letter', '--yes'], ['api', 'GET', '/statements/7']]) {
    const {code, stderr} = await shop().run([...line, '--save', file('a.pdf')])
    expect(code).toBe(3)
    expect(stderr).toContain('it exists already')
  }
  expect(shop().requested()).toHaveLength(before)
  expect(await readFile(file('a.pdf'), 'utf8')).toBe('mine')
})

it('writes to stdout only where no terminal is', async () => {
  await shop().importPaths(PATHS)
  answers('application/pdf', '%PDF-1.7 of ASCII alone')
  expect(await shop().run([...GET, '--save', '-'])).toMatchObject({
    code: 0,
    stdout: '%PDF-1.7 of ASCII alone',
  })
  const before = shop().requested().length
  expect(await shop().run([...GET, '--save', '-'], {columns: 80})).toMatchObject({code: 2, stdout: ''})
  expect(shop().requested()).toHaveLength(before)
})

it('is a success also without a file, and says how to keep it', async () => {
  await shop().importPaths(PATHS)
  answers('application/pdf', PDF)
  for (const line of [GET, ['api', 'GET', '/statements/7']]) {
    const {code, stdout, stderr} = await shop().run([...line, '-o', 'json'])
    expect({code, body: JSON.parse(stdout)}).toEqual({
      code: 0,
      body: {type: 'application/pdf', size: PDF.length},
    })
    expect(stderr).toContain('--save FILE')
  }
  const write = await shop().run(['x', 'letters', 'make-letter', '--yes'])
  expect(write.code).toBe(0)
  expect(write.stderr).not.toContain('add --save')
  const {stdout} = await shop().run(['requests', 'list', '-o', 'json'])
  expect(JSON.parse(stdout)).toMatchObject([{state: 'done', effect: 'done'}])
})

it('takes no page, no error and no other kind of response for the file', async () => {
  await shop().importPaths(PATHS)
  const wrong: [string, string, number][] = [
    ['text/html', '<!doctype html><title>Login</title>', 200],
    ['application/pdf', '<html><body>Sign in</body></html>', 200],
    ['application/json', '{"status":"not ready"}', 200],
    ['text/plain', 'come back later', 200],
    ['application/pdf', '', 200],
    ['application/pdf', '%PDF-', 500],
  ]
  for (const [type, body, status] of wrong) {
    answers(type, body, status)
    const {code} = await shop().run([...GET, '--save', file('a.pdf'), '--retries', '0'])
    expect({type, body, failed: code !== 0}).toEqual({type, body, failed: true})
  }
  expect((await readdir(shop().folder)).filter(name => name !== 'doc.json')).toEqual([])
})

it('is no success where the document describes JSON', async () => {
  await shop().importPaths(PATHS)
  answers('application/pdf', PDF)
  const {code, stderr} = await shop().run(['x', 'plain', 'get-plain'])
  expect(code).toBe(8)
  expect(stderr).toContain('it is application/pdf and not JSON')
  expect(await shop().run(['api', 'GET', '/v4/3001'])).toMatchObject({code: 8})
})

it('masks in text and JSON what it masks when it prints them, and says so', async () => {
  await shop().importPaths(PATHS)
  answers('text/csv', 'id,pan\n1,4111111111111111\n')
  const {code, stderr} = await shop().run(['x', 'rows', 'get-rows', '--save', file('rows.csv')])
  expect(code).toBe(0)
  expect(stderr).toContain('masked in what was saved')
  expect(await readFile(file('rows.csv'), 'utf8')).not.toContain('4111111111111111')
  answers('text/csv', 'id\n1\n')
  const plain = await shop().run(['api', 'GET', '/rows', '--save', file('more.csv')])
  expect(plain.stderr).not.toContain('masked')
  expect(await readFile(file('more.csv'), 'utf8')).toBe('id\n1\n')
  expect(shop().service.requests.at(-1)?.headers.accept).toBe('*/*')
})
