import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import * as entry from '../../src/card-crypto/index.ts'

test('the guide names everything that the entry offers', () => {
  const guide = readFileSync(new URL('../../docs/typescript.md', import.meta.url), 'utf8')
  const missing = Object.keys(entry).filter(name => !new RegExp(`\\b${name}\\b`).test(guide))
  expect(missing).toEqual([])
})

test('jose is loaded by the first JWE, not by the entry', () => {
  const sources = ['index', 'jwe', 'jwk'].map(name =>
    readFileSync(new URL(`../../src/card-crypto/${name}.ts`, import.meta.url), 'utf8'),
  )
  expect(sources.join('\n')).not.toMatch(/from 'jose'/)
})
