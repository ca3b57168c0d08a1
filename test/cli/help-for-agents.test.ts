import {afterAll, beforeAll, expect, test} from 'vitest'
import {readManifest} from '../../src/cli/help/manifest.ts'
import {llmsText} from '../../tools/site/llms.ts'
import {menuOf} from '../../tools/site/navigation.ts'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

test('help --for-agents has every command with its effects, and every exit code', async () => {
  const {code, stdout} = await home.run(['help', '--for-agents'])
  expect(code).toBe(0)
  const {commands} = readManifest()
  const lines = stdout.split('\n')
  for (const {id, hidden} of Object.values(commands)) {
    if (hidden) continue
    const own = lines.filter(line => line.startsWith(`- \`${id.replaceAll(':', ' ')}`))
    expect(
      own.some(line => / \((?:read|local|write|destroy|disclose|money|any)[^()]*\)$/.test(line)),
      id,
    ).toBe(true)
  }
  expect(stdout).toContain('- `accounts patch ID`: ')
  expect(stdout).toMatch(/- 10: .*EFFECT_UNKNOWN/)
  expect(stdout.length).toBeLessThan(20_000)
})

test('llms.txt of the site begins with the same, and names every page', async () => {
  const {stdout} = await home.run(['help', '--for-agents'])
  const text = llmsText()
  expect(text.startsWith(stdout.trimEnd())).toBe(true)
  for (const {href} of menuOf('index.html').flatMap(({entries}) => entries))
    expect(text).toContain(`](${href})`)
})

test('schema hint is the form of what an error names', async () => {
  const schema = await home.json<{items: {required: string[]}}>(['schema', 'hint'])
  expect(schema.items.required).toEqual(['argv', 'effect'])
  const {stderr} = await home.run(['cards', 'gte', '3001', '-o', 'json'])
  for (const command of JSON.parse(stderr).error.commands ?? [])
    expect(Object.keys(command).sort()).toEqual(['argv', 'effect'])
})
