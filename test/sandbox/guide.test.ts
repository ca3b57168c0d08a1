import {execFile} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {promisify} from 'node:util'
import {expect, test} from 'vitest'

const run = promisify(execFile)
const guide = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8')
const entry = new URL('../../src/sandbox/index.ts', import.meta.url).href
const examples = [...guide.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => code)

test('the guide has its examples', () => {
  expect(examples).toHaveLength(2)
})

test.each(examples)('an example of the guide prints what its comments say: %#', async code => {
  const printed = [...code.matchAll(/console\.log\(.*\)\s+\/\/ (.*)$/gm)].map(([, text]) => text)
  const {stdout} = await run(process.execPath, [
    '--input-type=module',
    '-e',
    code.replace("'cardctl/sandbox'", JSON.stringify(entry)),
  ])
  expect(printed.length).toBeGreaterThan(0)
  expect(stdout.trim().split('\n')).toEqual(printed)
})
