// Nothing runs on generated files that belong to another contract.
import {appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {generatedFiles, isFresh, stampGenerated} from '../../tools/contract/generated.ts'

const INPUTS = [
  'src/contract/openapi/cards.yaml',
  'docs/webhook-rules.schema.json',
  'tools/contract/shapes.ts',
  'package-lock.json',
]
const OUTPUTS = [
  'src/contract/operations.gen.ts',
  'src/contract/validators/cards.gen.js',
  'src/webhook/rules/validators.gen.js',
]

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cardctl-generated-'))
  for (const path of [...INPUTS, ...OUTPUTS]) write(path)
})
afterEach(() => rmSync(root, {recursive: true}))

function write(path: string): void {
  mkdirSync(dirname(join(root, path)), {recursive: true})
  writeFileSync(join(root, path), path)
}

test('without a stamp nothing is fresh', () => {
  expect(isFresh(root)).toBe(false)
})

test('files are fresh as the generator left them', () => {
  stampGenerated(root)
  expect(generatedFiles(root)).toEqual(OUTPUTS)
  expect(isFresh(root)).toBe(true)
})

test.each([...INPUTS, ...OUTPUTS])('a change of %s makes them stale', path => {
  stampGenerated(root)
  appendFileSync(join(root, path), '\n')
  expect(isFresh(root)).toBe(false)
})

test.each(OUTPUTS)('without %s they are stale', path => {
  stampGenerated(root)
  rmSync(join(root, path))
  expect(isFresh(root)).toBe(false)
})

test('a file that the contract no longer has makes them stale', () => {
  stampGenerated(root)
  write('src/contract/validators/loans.gen.js')
  expect(isFresh(root)).toBe(false)
})

test('the files that the tests run on are fresh', () => {
  expect(isFresh()).toBe(true)
})
