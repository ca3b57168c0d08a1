import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {Failure} from '../../src/errors/failure.ts'
import {compileQuery} from '../../src/output/query.ts'

const messageOf = async (expression: string) =>
  compileQuery(expression).then(
    () => 'fine',
    (error: unknown) => (error instanceof Failure && error.code === 'USAGE' ? error.message : String(error)),
  )

describe('compileQuery', () => {
  it('answers', async () => {
    const query = await compileQuery("[?status=='CARD_OK'].{id: id, year: expiration.year}")
    expect(
      query([
        {id: '1', status: 'CARD_OK', expiration: {year: 2029}},
        {id: '2', status: 'CARD_LOST'},
      ]),
    ).toEqual([{id: '1', year: 2029}])
  })

  it.each([
    ['foo bar', "at character 5, near 'bar'"],
    ['a.b[0', 'at its end'],
    ['[?a==', 'at its end'],
    ['@ @', "at character 3, near '@'"],
    ["a['b'", "at character 3, near ''b''"],
    ['a.#', "at character 3, near '#'"],
    ['a && "b', "at character 6, near '\"b'"],
    ['', 'at its end'],
    ['nope(@)', "there is no such function at character 1, near 'nope(@)'"],
    ['a.b | lenght(@)', "there is no such function at character 7, near 'lenght(@)'"],
  ])('says where %j goes wrong', async (expression, place) => {
    expect(await messageOf(expression)).toContain(place)
  })

  it('says what does not fit a value without quoting the value', async () => {
    const query = await compileQuery('sort_by(@, &id)')
    const caught = (() => {
      try {
        return query({pan: '4111111111111111'})
      } catch (error) {
        return error
      }
    })()
    expect(caught).toMatchObject({code: 'USAGE', exit: 2})
    expect(String(caught)).toContain('sort_by() expected argument 1')
    expect(String(caught)).not.toContain('4111')
  })

  it('meets any text with an answer or a usage error', async () => {
    const any = fc.string({
      unit: fc.constantFrom(
        'a',
        '.',
        '[',
        ']',
        '?',
        '(',
        ')',
        '`',
        "'",
        '"',
        '*',
        '@',
        '&',
        '|',
        '1',
        '-',
        ':',
        ' ',
        '{',
        '}',
        ',',
      ),
    })
    await fc.assert(
      fc.asyncProperty(any, async expression => {
        const compiled = await compileQuery(expression).catch((error: unknown) => error)
        if (typeof compiled !== 'function') {
          expect(compiled).toBeInstanceOf(Failure)
          return
        }
        try {
          compiled({a: [1, {a: 'x'}]})
        } catch (error) {
          expect(error).toBeInstanceOf(Failure)
        }
      }),
      {numRuns: 300},
    )
  })
})
