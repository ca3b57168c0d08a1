import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {writeHeader, writeParameter} from '../../src/imported/call/write-parameter.ts'
import type {ParameterStyle} from '../../src/imported/index.ts'
import {codePoint} from '../helpers/code-point.ts'

const list = ['blue', 'black', 'brown']
const object = {R: 100, G: 200, B: 150}
const write = (value: unknown, style: ParameterStyle, explode: boolean) =>
  writeParameter('color', value, {style, explode})

describe('a parameter', () => {
  // The table of the OpenAPI Specification 3.1, "Style Examples".
  test.each<[ParameterStyle, boolean, string, string, string]>([
    ['matrix', false, ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
    ['matrix', true, ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
    ['label', false, '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
    ['label', true, '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
    ['simple', false, 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
    ['simple', true, 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
    ['form', false, 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
    ['form', true, 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
    [
      'spaceDelimited',
      false,
      'color=blue',
      'color=blue%20black%20brown',
      'color=R%20100%20G%20200%20B%20150',
    ],
    ['pipeDelimited', false, 'color=blue', 'color=blue%7Cblack%7Cbrown', 'color=R%7C100%7CG%7C200%7CB%7C150'],
    [
      'deepObject',
      true,
      'color=blue',
      'color=blue&color=black&color=brown',
      'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150',
    ],
  ])('of the style %s, exploded %s', (style, explode, plain, items, members) => {
    expect([
      write('blue', style, explode),
      write(list, style, explode),
      write(object, style, explode),
    ]).toEqual([plain, items, members])
  })

  test('keeps zero, false and empty text', () => {
    expect(write([0, false, ''], 'form', true)).toBe('color=0&color=false&color=')
    expect(write(0, 'simple', false)).toBe('0')
  })

  test('nests deep objects and lists in them', () => {
    expect(decodeURIComponent(write({a: {b: 1, c: ['x', 'y']}, d: [{e: 2}]}, 'deepObject', true))).toBe(
      'color[a][b]=1&color[a][c][]=x&color[a][c][]=y&color[d][0][e]=2',
    )
  })

  test('never ends its place, whatever its value holds', () => {
    fc.assert(
      fc.property(fc.string({unit: codePoint}), value => {
        for (const style of ['simple', 'label', 'matrix'] as const) {
          expect(write(value, style, false)).not.toMatch(/[/?#\s\\]/)
        }
        const pairs = [...new URLSearchParams(write([value, value], 'form', true))]
        expect(pairs).toEqual([
          ['color', value.toWellFormed()],
          ['color', value.toWellFormed()],
        ])
        expect(writeParameter('a b', value, {style: 'form', explode: true, allowReserved: true})).not.toMatch(
          /[&#\s]/,
        )
      }),
    )
  })

  test('in a header holds nothing that ends the header', () => {
    expect(writeHeader({name: 'X-A', explode: false}, ['a', 1])).toBe('a,1')
    expect(writeHeader({name: 'X-A', explode: true}, object)).toBe('R=100,G=200,B=150')
    expect(() => writeHeader({name: 'X-A', explode: false}, 'a\r\nx-evil: 1')).toThrow('no header takes')
  })
})
