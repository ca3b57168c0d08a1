// What people say leads to pages, headings, commands and topics that exist.
import {expect, test} from 'vitest'
import {ASKED_OF_COMMANDS} from '../../src/cli/help/asked/of-commands.ts'
import {ASKED_OF_PAGES} from '../../src/cli/help/asked/of-pages.ts'
import {nameOf, readManifest} from '../../src/cli/help/manifest.ts'
import {docsPages} from '../../src/cli/help/pages.ts'
import {helpTopics} from '../../src/cli/help/topics.ts'

test('each page and heading in asked/ exists: where one was renamed, rename it there', () => {
  const known = docsPages().flatMap(({name, headings}) =>
    ['', ...headings.map(each => `#${each}`)].map(each => `${name.replace('docs/', '')}${each}`),
  )
  expect(Object.keys(ASKED_OF_PAGES).filter(name => !known.includes(name))).toEqual([])
})

test('each command and topic in asked/ exists', () => {
  const topics = Object.keys(helpTopics).map(topic => `help ${topic}`)
  const known = [...Object.values(readManifest().commands).map(nameOf), ...topics]
  expect(Object.keys(ASKED_OF_COMMANDS).filter(name => !known.includes(name))).toEqual([])
})
