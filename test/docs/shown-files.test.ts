// Files of examples/ that a page shows in full are those files.
import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {blocksOf, pages, ROOT} from './pages.ts'

test.each([
  ['docs/nightly-job.md', 'bash', 'examples/nightly.sh'],
  ['docs/first-webhook.md', 'javascript', 'examples/first-endpoint.mjs'],
])('%s shows %s of %s', (path, language, file) => {
  const page = pages().find(each => each.path === path) ?? {path, text: ''}
  const shown = blocksOf(page).find(block => block.language === language)
  expect(shown?.code).toBe(readFileSync(`${ROOT}${file}`, 'utf8'))
})
