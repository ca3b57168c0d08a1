// The lines that show a failure again are run by a shell: they give the same call, under an id of its own.
import {execFileSync} from 'node:child_process'
import {expect, test} from 'vitest'
import {shellLines} from '../../../src/webhook/certify/shell-lines.ts'

test('a pasted call keeps its text, and the length of its id', () => {
  const id = '0197a1c4-6f0e-7c3a-9d52-0c1f5f3f7a10'
  const call = {metadata: {id, linkId: `${id}x`}, merchantData: {name: 'it\'s "5 $N"'}}
  const done = {call, at: 0, verdict: {}} as never
  const lines = shellLines([{done, path: '/auth', settings: {}, isAfterRestart: true}], new Set(), 'http://x')
  expect(lines[1]).toBe('# restart the endpoint here')
  const shown = lines.join('\n').replace('curl -sS', "printf '%s\\n'")
  const words = execFileSync('bash', ['-c', shown], {encoding: 'utf8'}).split('\n')
  const sent = JSON.parse(words.find(word => word.startsWith('{')) ?? '') as typeof call
  expect(sent.merchantData).toEqual(call.merchantData)
  expect(sent.metadata.id).toHaveLength(36)
  expect(sent.metadata.id).not.toBe(id)
  expect(sent.metadata.linkId).toBe(`${sent.metadata.id}x`)
})
