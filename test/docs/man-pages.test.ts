// Man pages: every command is in one, and groff renders them without a warning.
import {spawnSync} from 'node:child_process'
import process from 'node:process'
import {expect, test} from 'vitest'
import pjson from '../../package.json' with {type: 'json'}
import {helpTopics} from '../../src/cli/help/topics.ts'
import {TASK_GROUPS} from '../../src/cli/task-groups.ts'
import {commands} from '../../src/commands/index.ts'
import {manPages} from '../../tools/docs/man-pages.ts'

const pages = manPages()

/** Without groff its tests are skipped; where CI runs, that is an error. */
const hasGroff = spawnSync('groff', ['--version']).status === 0
if (!hasGroff && process.env.CI) throw new Error('groff is needed under CI')

const rendered = (text: string) => {
  const {stdout, stderr, status} = spawnSync(
    'groff',
    ['-ww', '-man', '-Tutf8', '-P-c', '-P-b', '-P-u', '-P-o'],
    {
      input: text,
      encoding: 'utf8',
    },
  )
  return {status, stderr, words: stdout.replace(/\s+/g, ' ')}
}

test('there is a page for each topic, which has all its commands', () => {
  for (const id of Object.keys(commands)) {
    const text = pages.get(`cardctl-${id.split(':')[0]}.1`) ?? ''
    expect(text).toContain(`.SS "cardctl ${id.replaceAll(':', ' ').replaceAll('-', '\\-')}"`)
  }
})

test('the main page names each topic and has each help topic', () => {
  const text = pages.get('cardctl.1') ?? ''
  for (const name of TASK_GROUPS.flatMap(({names}) => names)) {
    expect(text).toContain(`cardctl\\-${name}(1)`)
    expect(pages.has(`cardctl-${name}.1`)).toBe(true)
  }
  for (const name of Object.keys(helpTopics))
    expect(text).toContain(`.SH "${name.replaceAll('-', ' ').toUpperCase()}"`)
})

test('npm installs them', () => {
  expect(pjson.directories.man).toBe('man')
  expect(pjson.files).toContain('man')
})

test.skipIf(!hasGroff).each([...pages])('%s renders without a warning', (_, text) => {
  expect(rendered(text)).toMatchObject({status: 0, stderr: ''})
})

test.skipIf(!hasGroff)('what is typed is shown as it is typed', () => {
  const {words} = rendered(pages.get('cardctl-cards.1') ?? '')
  expect(words).toContain('$ cardctl cards get 3001 --query status -o json')
  const quotes = rendered(pages.get('cardctl-help.1') ?? '').words
  expect(quotes).toContain('$ cardctl help --search "credit limit"')
})
