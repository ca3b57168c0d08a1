import {parse} from 'csv-parse/sync'
import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {parse as parseYaml} from 'yaml'
import {batchItemsView} from '../../src/commands/a2a/shared/batch-views.ts'
import {cardListView, cardView} from '../../src/commands/cards/shared/views.ts'
import {updateView} from '../../src/output/changes.ts'
import {chooseFields, fieldAt, flatten} from '../../src/output/fields.ts'
import {formatCsv, formatJson, formatYaml} from '../../src/output/formats.ts'
import {genericView} from '../../src/output/generic.ts'
import {OUTPUT_FORMATS} from '../../src/output/index.ts'
import {escapeField} from '../../src/output/styled.ts'
import {renderView, type ViewContext} from '../../src/output/view.ts'
import {codePoint} from '../helpers/code-point.ts'
import {runs} from '../helpers/whole.ts'
import {batch, card} from './replies.ts'
import {setUp} from './streams.ts'

/** JSON as it comes off a wire: no -0, no undefined. */
const json = fc
  .jsonValue({maxDepth: 3, stringUnit: codePoint})
  .map(value => JSON.parse(JSON.stringify(value)) as unknown)

const hostile = fc.string({
  unit: fc.constantFrom(
    'a',
    ' ',
    '\u001b[31m',
    '\u001b]0;title\u0007',
    '\u001b[2J',
    '\u009b31m',
    '\u0000',
    '\b',
    '\r',
    '\n',
    '\t',
    '\u007f',
    '\u202e',
    '\u2066',
    '\u200f',
    '\u061c',
    '\u200b',
    '\ufeff',
    '\u2028',
    '\u00ad',
    '\u{e0041}',
    '"',
    "'",
    ',',
    '=',
    '\\',
    '😀',
    '世',
    'e\u0301',
  ),
  minLength: 1,
})

/** Everything that could act, line feeds aside. */
const acting =
  /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0001}-\u{e007f}]/u

/** The codes that chalk's sixteen colours are made of. */
const ourColours = new RegExp(`${String.fromCharCode(0x1b)}\\[\\d\\d?m`, 'g')

/** The same value with hostile text in place of every text. */
const poisoned = (value: unknown, text: () => string): unknown => {
  if (typeof value === 'string') return text()
  if (Array.isArray(value)) return value.map(item => poisoned(item, text))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, poisoned(item, text)]))
}

describe('JSON and YAML', () => {
  it('give the value back, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(json, async value => {
        expect(JSON.parse(formatJson(value))).toEqual(value)
        expect(parseYaml(await formatYaml(value))).toEqual(value)
      }),
      {numRuns: runs(300)},
    )
  })

  it('give hostile text back too, without a character that acts', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (name, text) => {
        const value = {[name]: [text, {inner: text}], plain: text}
        for (const [written, read] of [
          [formatJson(value), JSON.parse(formatJson(value)) as unknown],
          [await formatYaml(value), parseYaml(await formatYaml(value)) as unknown],
        ] as const) {
          expect(written).not.toMatch(acting)
          expect(read).toEqual(value)
        }
      }),
      {numRuns: runs(200)},
    )
  })

  it('leave nothing to guess for readers of YAML 1.1', async () => {
    expect(await formatYaml({id: '3001', answer: 'no', time: '12:30:00', amount: 1.5, none: null})).toBe(
      'id: "3001"\nanswer: "no"\ntime: "12:30:00"\namount: 1.5\nnone: null\n',
    )
  })
})

describe('CSV', () => {
  it('comes back from csv-parse as it went in', async () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '"', ',', '\n', '\r\n', ' ', '\t', 'ä', '😀', ';', "'", '='),
    })
    const row = fc.record({
      id: text,
      name: text,
      amount: fc.double({noNaN: true, noDefaultInfinity: true}),
      ok: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(row, {minLength: 1, maxLength: 5}), async rows => {
        const read = parse(await formatCsv(rows, {}), {columns: true}) as unknown
        const expected = rows.map(({id, name, amount, ok}) => ({
          id: escapeField(id),
          name: escapeField(name),
          amount: String(amount),
          ok: String(ok),
        }))
        expect(read).toEqual(expected)
      }),
      {numRuns: runs(200)},
    )
  })

  it('has nested members by dots, lists as JSON, and rows of any shape', async () => {
    expect(
      await formatCsv(
        [
          {a: {b: {c: 1}}, l: [1, 'x']},
          {a: {}, d: 'x'},
        ],
        {},
      ),
    ).toBe('a.b.c,l,a,d\n1,"[1,""x""]",,\n,,{},x\n')
    expect(await formatCsv([['3001', 'x'], ['3002']], {})).toBe('1,2\n3001,x\n3002,\n')
    expect(await formatCsv(['3001', null], {header: false})).toBe('3001\n""\n')
    expect(await formatCsv({id: 1}, {})).toBe('id\n1\n')
    expect(await formatCsv([], {})).toBe('')
  })

  it('quotes formulas when told', async () => {
    expect(await formatCsv([{name: '=HYPERLINK("x")', n: -1}], {csvSafe: true})).toBe(
      'name,n\n"\'=HYPERLINK(""x"")",-1\n',
    )
  })
})

describe('members', () => {
  it('are found by dots, also where a name holds one', () => {
    expect(fieldAt({a: {'b.c': 1}}, 'a.b.c')).toBe(1)
    expect(fieldAt({'a.b': {c: 2}, a: {b: {d: 3}}}, 'a.b.c')).toBe(2)
    expect(fieldAt({'a.b': {c: 2}, a: {b: {d: 3}}}, 'a.b.d')).toBe(3)
    expect(fieldAt({items: [{id: 7}]}, 'items.0.id')).toBe(7)
    expect(fieldAt({}, 'constructor')).toBeUndefined()
    expect(fieldAt('text', 'length')).toBeUndefined()
  })

  it('that are chosen keep their place; what is missing is null', () => {
    const chosen = chooseFields([{a: {b: 1, c: 2}, d: 3}], ['d', 'a.b', 'a.x', '__proto__.y'])
    expect(JSON.parse(JSON.stringify(chosen))).toEqual([
      JSON.parse('{"d":3,"a":{"b":1,"x":null},"__proto__":{"y":null}}'),
    ])
    expect(({} as {y?: unknown}).y).toBeUndefined()
  })

  it('flatten and are found again', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), json), value => {
        for (const [name, member] of Object.entries(flatten(value))) expect(fieldAt(value, name)).toBe(member)
      }),
    )
  })
})

describe('the last check', () => {
  it('lets nothing act but line feeds and our colours', async () => {
    const views = [
      [cardView, card],
      [cardListView, [card, card]],
      [batchItemsView, batch],
      [genericView, [card, batch]],
      [updateView('Account'), {id: 'x', description: 'y'}],
    ] as const
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, {minLength: 1, maxLength: 5}), async texts => {
        let next = 0
        const text = () => texts[next++ % texts.length] ?? ''
        for (const [view, reply] of views) {
          for (const format of OUTPUT_FORMATS) {
            for (const terminal of [false, true]) {
              const {printer, stdout, stderr} = setUp({format}, {terminal, env: {PAGER: 'cat'}})
              await printer.data(poisoned(reply, text) as never, view)
              printer.note(text())
              printer.warn(text())
              // Inside a quoted field tabs and line breaks are data.
              const out = format === 'csv' ? stdout.text.replace(/\r\n|\t/g, '') : stdout.text
              for (const written of [out, stderr.text]) {
                expect(written.replaceAll(ourColours, '')).not.toMatch(acting)
              }
            }
          }
        }
      }),
      {numRuns: runs(25)},
    )
  })

  it('adds no colour of theirs to ours', async () => {
    const {printer, stdout} = setUp({}, {terminal: true})
    await printer.data({id: '1', status: 'CARD_OK\u001b[31m'}, cardView)
    expect(stdout.text).not.toContain('\u001b[31m')
    expect(stdout.text).toContain('CARD_OK\\u001b[31m')
  })

  it('holds where a view forgot to escape', async () => {
    const shown = (text: string, colour: ViewContext['colour']) =>
      renderView(() => text, undefined, {width: 80, colour, ascii: false, now: 0})
    expect(await shown('a\u001b[32mok\u001b[39m\u001b[2J\u202e\r\nb', 1)).toBe(
      'a\u001b[32mok\u001b[39m\\u001b[2J\\u202e\\u000d\nb',
    )
    expect(await shown('a\u001b[32mok', 0)).toBe('a\\u001b[32mok')
  })
})
