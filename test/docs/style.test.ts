// What people read keeps clear of the phrases that docs/style.md rules out.
import {globSync, readFileSync} from 'node:fs'
import ts from 'typescript'
import {describe, expect, test} from 'vitest'
import {pages, ROOT} from './pages.ts'

/** What not to write, and what to write instead. Line breaks don't matter. */
const RULED_OUT: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bmend(s|ed|ing)?\b/i, 'correct, fix'],
  [/\bso many\b(?! that)/i, 'maximum number of …'],
  [/\b(tell|tells|telling|told) of\b/i, 'show, report'],
  [/\b(can|can't|cannot|could not|couldn't) be (had|told)\b(?! apart)/i, 'is unknown, is not available'],
  [/\b(of|by) nobody\b|\bnobody (but|knows)\b/i, 'no, unknown'],
  [/\bis (one|it) mistyped\b/i, 'Check the spelling.'],
  [/\b(goes on|then|or|prints) no more\b/i, 'no longer'],
  [/\bas (many|long|much)\b[\w ]* as it takes\b/i, 'as many … as needed'],
  [/\b(hold|holds|held) (all rows )?to (the contract|the quota|more|the same)\b/i, 'check against, apply to'],
  [/\banew\b/i, 'again'],
  [/\b(any|all|some) (item|value|one)s? will do\b/i, 'may be any'],
  [/\b(was|is|were) asked of\b/i, 'was sent to'],
  [/\bbelongs? into\b/i, 'put … in'],
  [/\bwhat (no|nothing)\b[\w ]* by\b/i, 'a plain sentence'],
  [/\bfor there is\b/i, 'because'],
  [/\bhere it (goes|is)\b/i, 'it … here'],
  [/\byou need some\b/i, 'Requires …'],
  [/\bstands? (in|on|at|below|before|behind|above|beside|inside|there|open|alone|twice)\b/i, 'is'],
  [/\blies (in|at|here|there|below|beside|behind)\b/i, 'is'],
  [/\bafresh\b/i, 'again'],
  [/\b(not|no|n't)\b[^.;:]{0,40}\bany more\b/i, 'no longer'],
  [/\bgoes on (at|with|under|where|here|there)\b|\bhere it goes on\b/i, 'continues'],
]

interface Text {
  readonly path: string
  readonly line: number
  readonly text: string
}

/** The page itself has to quote what it rules out. */
const RULES = 'docs/style.md'

/** The paragraphs of a page, each with its first line. */
function paragraphsOf(path: string, page: string): readonly Text[] {
  const texts: Text[] = []
  let line = 1
  for (const block of page.split(/(\n\s*\n|\n(?=[|#\-*]))/)) {
    if (block.trim() !== '') texts.push({path, line, text: block})
    line += block.split('\n').length - 1
  }
  return texts
}

const sourceFile = (path: string, source: string): ts.SourceFile =>
  ts.createSourceFile(path, source, ts.ScriptTarget.Latest)

/** The string literals, template parts and texts of elements in a source file; no comments. */
function literalsOf(path: string, source: string): readonly Text[] {
  const file = sourceFile(path, source)
  const texts: Text[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node)) {
      const {line} = file.getLineAndCharacterOfPosition(node.getStart(file))
      texts.push({path, line: line + 1, text: node.text})
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return texts
}

const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8')

function breachesIn(texts: readonly Text[]): readonly string[] {
  const oneLine = texts.map(each => ({...each, text: each.text.replace(/\s+/g, ' ')}))
  return oneLine.flatMap(({path, line, text}) =>
    RULED_OUT.flatMap(([phrase, instead]) => {
      const found = phrase.exec(text)
      return found ? [`${path}:${line} "${found[0]}": ${instead}`] : []
    }),
  )
}

describe('a phrase that is ruled out', () => {
  test('is found in a literal, a template and an element, across line breaks', () => {
    const source = `const a = \`Mend\n it \${b} so many\`\nconst c = <p>told\nof</p> // mend this`
    expect(breachesIn(literalsOf('some.tsx', source))).toEqual([
      'some.tsx:1 "Mend": correct, fix',
      'some.tsx:2 "so many": maximum number of …',
      'some.tsx:3 "told of": show, report',
    ])
  })

  test('is found in a page, with the line of its paragraph', () => {
    expect(breachesIn(paragraphsOf('page.md', '# A\n\nb\nc told\nof d\n'))).toEqual([
      'page.md:3 "told of": show, report',
    ])
  })
})

test('pages are in plain English', () => {
  const texts = pages()
    .filter(({path}) => path !== RULES && path !== 'THIRD-PARTY-NOTICES.md')
    .flatMap(({path, text}) => paragraphsOf(path, text))
  expect(texts.length).toBeGreaterThan(500)
  expect(breachesIn(texts)).toEqual([])
})

test('texts in the sources are in plain English', () => {
  const paths = globSync('src/**/*.{ts,tsx}', {
    cwd: ROOT,
    // SQL of a schema is append-only, comments and all, and nobody is shown it.
    exclude: ['src/contract/{validators,schemas}/**', 'src/**/*.gen.ts', 'src/**/schema.ts'],
  })
  expect(paths.length).toBeGreaterThan(300)
  // Parsing takes long, and most files hold no such phrase even in a comment.
  const suspects = paths
    .map(path => ({path, source: read(path)}))
    .filter(({path, source}) => breachesIn([{path, line: 1, text: source}]).length > 0)
  expect(breachesIn(suspects.flatMap(({path, source}) => literalsOf(path, source)))).toEqual([])
})

test('texts in the contract and the names of topics are in plain English', () => {
  const uncommented = (text: string): string => text.replace(/^[ \t]*#.*$/gm, '')
  const texts = [...globSync('src/contract/openapi/*.yaml', {cwd: ROOT}).sort(), 'package.json'].flatMap(
    path => paragraphsOf(path, uncommented(read(path))),
  )
  expect(breachesIn(texts)).toEqual([])
})
