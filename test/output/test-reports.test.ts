// The reports of `webhook test` hold whatever an endpoint says, in the form that their readers need.
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {certificatePage} from '../../src/commands/webhook/shared/test-reports/certificate-page.ts'
import {githubAnnotations} from '../../src/commands/webhook/shared/test-reports/github.ts'
import {testPage} from '../../src/commands/webhook/shared/test-reports/html.ts'
import {junitReport} from '../../src/commands/webhook/shared/test-reports/junit.ts'
import {tapReport} from '../../src/commands/webhook/shared/test-reports/tap.ts'
import type {SuiteReport} from '../../src/commands/webhook/shared/test-view.ts'
import type {Certificate} from '../../src/webhook/certify/index.ts'
import {codePoint} from '../helpers/code-point.ts'
import {hostileTexts} from '../helpers/hostile-texts.ts'

const CLOCK = {now: Date.UTC(2026, 5, 15, 12), timeZone: 'UTC'}
const PAN = '4111111111111111'

const reportWith = (text: string): SuiteReport => ({
  suite: text,
  url: 'http://127.0.0.1:3000',
  summary: {steps: 3, passed: 1, failed: 1, skipped: 1, notChecked: 0, checks: 2, calls: 2, durationMs: 1234},
  steps: (['passed', 'failed', 'skipped'] as const).map((state, at) => ({
    type: 'step',
    number: at + 1,
    name: `${state} ${text}`,
    verb: 'send',
    state,
    line: at + 2,
    column: 5,
    durationMs: 12.3,
    checks: [
      {what: 'decision', expected: `approved ${text}`, got: text, passed: state !== 'failed', why: text},
    ],
    calls: [
      {
        at: '2026-11-21T12:00:00.000Z',
        path: '/auth',
        request: {name: text},
        reply: text,
        outcome: 'declined',
        status: 200,
        durationMs: 1,
      },
    ],
  })),
})

const texts = fc.oneof(
  fc.string(),
  fc.string({unit: codePoint}),
  fc.constantFrom(...Object.values(hostileTexts)),
)

/** A text of the elements and attributes of XML 1.0, read strictly; throws for anything else. */
function parseXml(xml: string): {names: string[]; texts: string[]} {
  const names: string[] = []
  const found: string[] = []
  const open: string[] = []
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML allows no others.
  expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/)
  expect(xml.isWellFormed()).toBe(true)
  let rest = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '')
  while (rest !== '') {
    const [, close, start, attributes = '', empty] =
      /^<(?:\/([a-z]+)|([a-z]+)((?: [a-z]+="[^"<]*")*)(\/?))>/.exec(rest) ?? []
    if (close !== undefined) expect(open.pop()).toBe(close)
    else if (start !== undefined) {
      names.push(start)
      if (empty === '') open.push(start)
    } else {
      const text = /^[^<]+/.exec(rest)?.[0]
      if (text === undefined) throw new Error(`not XML: ${rest.slice(0, 80)}`)
      found.push(text)
      rest = rest.slice(text.length)
      continue
    }
    found.push(attributes)
    rest = rest.slice(rest.indexOf('>') + 1)
  }
  expect(open).toEqual([])
  for (const text of found) expect(text.replace(/&(amp|lt|gt|quot|apos|#10);/g, '')).not.toMatch(/[&<]/)
  return {names, texts: found}
}

test('JUnit is XML with the elements and attributes of its schema, whatever the texts are', () => {
  fc.assert(
    fc.property(texts, text => {
      const {names} = parseXml(junitReport(reportWith(text), `${text}.yaml`))
      expect(names).toEqual([
        'testsuites',
        'testsuite',
        'properties',
        'property',
        'testcase',
        'testcase',
        'failure',
        'testcase',
        'skipped',
      ])
    }),
  )
  const xml = junitReport(reportWith('x'), 'mine.yaml')
  expect(xml).toContain('<testsuite name="x" tests="3" failures="1" errors="0" skipped="1" time="1.234">')
  expect(xml).toContain('<testcase name="failed x" classname="x" file="mine.yaml" line="3" time="0.012">')
})

test('TAP follows the grammar of version 14, whatever the texts are', async () => {
  const yaml = await import('yaml')
  fc.assert(
    fc.property(texts, text => {
      const lines = tapReport(reportWith(text), `${text}.yaml`).split('\n')
      expect(lines[0]).toBe('TAP version 14')
      expect(lines.filter(line => /^1\.\.\d+$/.test(line))).toEqual(['1..3'])
      const points = lines.filter(line => /^(not )?ok /.test(line))
      // An escaped # is no directive.
      const directives = points.map(line => /(?<!\\)(?:\\\\)*#\s*(\w+)/.exec(line)?.[1])
      expect(directives).toEqual([undefined, undefined, 'SKIP'])
      expect(points.map(line => /^(not ok|ok) \d+/.exec(line)?.[0])).toEqual(['ok 1', 'not ok 2', 'ok 3'])
      const blocks = [...lines.join('\n').matchAll(/^ {2}---\n([\s\S]*?)\n {2}\.\.\.$/gm)].map(
        ([, block = '']) => yaml.parse(block),
      )
      expect(blocks).toMatchObject([{duration_ms: 12.3}, {failures: [{what: 'decision'}]}])
      for (const line of lines)
        expect(line).toMatch(/^(TAP version 14|1\.\.3|# .*|(not )?ok \d+ - .*| {2,}.*|)$/)
    }),
  )
})

test('an annotation is one line, whose place ends at the first two colons', () => {
  fc.assert(
    fc.property(texts, text => {
      const all = githubAnnotations(reportWith(text), `${text}.yaml`)
      expect(all.length).toBe(1)
      expect(all[0]).not.toMatch(/[\r\n]/)
      expect(all[0]).toMatch(/^::error file=[^:,]*,line=3,col=5,title=[^:,]*::expected /)
    }),
  )
})

test('the page has no script, and no text becomes a part of it', () => {
  const shape = (page: string) => page.replace(/<style>[\s\S]*?<\/style>/, '').match(/<[^>]*>/g)
  const plain = shape(testPage(reportWith('x'), CLOCK))
  fc.assert(
    fc.property(
      texts.filter(text => text !== ''),
      text => {
        const page = testPage(reportWith(text), CLOCK)
        expect(shape(page)).toEqual(plain)
        expect(page).not.toMatch(/<script|javascript:|<link|<img/i)
      },
    ),
  )
  expect(testPage(reportWith('x'), CLOCK)).toContain("default-src 'none'")
})

describe('card numbers are masked in', () => {
  test.each([
    ['JUnit', junitReport(reportWith(PAN), 'x')],
    ['TAP', tapReport(reportWith(PAN), 'x')],
    ['annotations', githubAnnotations(reportWith(PAN), 'x').join('\n')],
    ['the page', testPage(reportWith(PAN), CLOCK)],
  ])('%s', (_, text) => {
    expect(text).not.toContain(PAN)
    expect(text).toContain('411111')
  })
})

test('a certificate quotes the rule that was broken, and not the others', () => {
  const checkOf = (passed: boolean) => ({
    part: 'behaviour',
    name: passed ? 'kept' : 'broken',
    state: passed ? ('passed' as const) : ('failed' as const),
    basis: ['decided' as const],
    checks: [{what: 'same', expected: 'the same', got: 'other', passed, why: `Rule of ${passed}`}],
    calls: [],
    durationMs: 1,
  })
  const certificate: Certificate = {
    result: 'failed',
    endpoint: 'http://127.0.0.1:3000',
    startedAt: '2026-11-21T12:00:00.000Z',
    endedAt: '2026-11-21T12:00:01.000Z',
    tool: 'cardctl 0.1.0',
    contract: '1',
    machine: {system: 'Linux', processors: 2, processor: 'x', memoryGiB: 4, node: '26'},
    seed: 1,
    probe: null,
    restart: null,
    carried: [],
    expects: null,
    deadlineMs: 2000,
    counts: {passed: 1, failed: 1, notChecked: 0, notAsked: 0, calls: 2},
    generated: null,
    measured: null,
    checks: [checkOf(true), checkOf(false)],
    sha256: '0'.repeat(64),
  }
  const page = certificatePage(certificate, CLOCK)
  const [, failed = ''] = /Failed<\/h2>(.*?)<h2>/s.exec(page) ?? []
  expect(failed).toContain('behaviour: broken')
  expect(failed).toContain('Rule of false')
  expect(page).not.toContain('Rule of true')
})
