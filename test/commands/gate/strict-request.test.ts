import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {NotRead, type RawRequest, readStrictly} from '../../../src/commands/gate/shared/strict-request.ts'
import {findOperation, possibleOperations} from '../../../src/contract/match.ts'
import type {Operation} from '../../../src/contract/operation.ts'
import {operations} from '../../../src/contract/operations.gen.ts'

const JSON_TYPE = ['Content-Type', 'application/json']

const raw = (
  method: string,
  url: string,
  body = '',
  rawHeaders: readonly string[] = JSON_TYPE,
): RawRequest => ({
  ...{method, url, rawHeaders},
  body: Buffer.from(body),
})

const all = Object.values(operations as Readonly<Record<string, Operation>>).filter(
  ({group}) => group !== 'sandbox',
)

describe('a request of a caller', () => {
  it.each(all.map(one => [one.id, one] as const))('is read as %s', (_, operation) => {
    const path = operation.path.replaceAll(/\{[^}]+\}/g, '3001')
    const body = operation.body === 'none' ? '' : '{"a": 1}'
    const read = readStrictly(raw(operation.method, path, body))
    expect(read.operation.id).toBe(findOperation(operation.method, path)?.operation.id)
    expect(read.input.body).toEqual(body === '' ? undefined : {a: 1})
  })

  it('has the query that the contract knows, without the audit user', () => {
    expect(
      readStrictly(raw('GET', '/v4/customer/1003?size=5&auditUser=Aino%20V&page=2')).input.query,
    ).toEqual({
      ...{size: 5, page: 2},
    })
  })

  it('has the cursor of the page before', () => {
    const url =
      '/v1/a2a/batches?size=1&auditUser=a&institutionId=1&startTime=2026-11-28T21%3A13%3A54&id=88001'
    const startKey = {institutionId: '1', startTime: '2026-11-28T21:13:54', id: '88001'}
    expect(readStrictly(raw('GET', url)).input.query).toEqual({size: 1, exclusiveStartKey: startKey})
    expect(() => readStrictly(raw('GET', `${url}&id=2`))).toThrow(NotRead)
    expect(() => readStrictly(raw('GET', `${url}&exclusiveStartKey=a`))).toThrow(NotRead)
    expect(() => readStrictly(raw('GET', `${url}&a%2eb=2`))).toThrow(NotRead)
    expect(() => readStrictly(raw('GET', `${url}&__proto__=2`))).toThrow(NotRead)
    expect(() => readStrictly(raw('GET', `${url}&include=pan`))).toThrow(NotRead)
    expect(() => readStrictly(raw('GET', '/v1/a2a/batches?reveal=true'))).toThrow(NotRead)
    // Of another list.
    expect(() => readStrictly(raw('GET', '/v1/a2a/batches?transferId=1'))).toThrow(NotRead)
  })

  it.each<[what: string, url: string]>([
    ['an encoded slash', '/v4/30%2f01'],
    ['an encoded backslash', '/v4/3001%5C'],
    ['an encoded percent sign', '/v4/%2533001'],
    ['an encoded dot', '/v4/%2e%2e/v4/3001'],
    ['dots', '/v4/../v4/3001'],
    ['an empty segment', '//v4/3001'],
    ['a slash at the end', '/v4/3001/'],
    ['parameters of a segment', '/v4/3001;a=1'],
    ['a backslash', '/v4\\3001'],
    ['a fragment', '/v4/3001#a'],
    ['a control character', '/v4/3001%00'],
    ['a sign that nobody sees', '/v4/3001%E2%80%8B'],
    ['bytes that are no UTF-8', '/v4/%ff'],
    ['letters of another width', '/v4/%EF%BC%93001'],
    ['an absolute URL', 'http://other.example/v4/3001'],
    ['a second question mark', '/v4/customer/1003?size=5?page=1'],
    ['an unknown name', '/v4/3001?expand=all'],
    ['a name twice', '/v4/customer/1003?size=5&size=500'],
    ['a name in brackets', '/v4/customer/1003?size[]=5'],
    ['an encoded name', '/v4/customer/1003?%73ize=5'],
    ['a name of objects', '/v4/customer/1003?__proto__=5'],
    ['an empty pair', '/v4/customer/1003?size=5&&page=1'],
    ['a semicolon', '/v4/customer/1003?size=5;page=1'],
    ['another case', '/V4/3001'],
  ])('is refused with %s', (_, url) => {
    expect(() => readStrictly(raw('GET', url))).toThrow(NotRead)
  })

  it.each<[what: string, body: string | Buffer, headers?: readonly string[]]>([
    ['a field twice', '{"creditLimit": 1, "creditLimit": 9000}'],
    ['a field twice, one escaped', '{"creditLimit": 1, "credit\\u004cimit": 9000}'],
    ['a field twice, further in', '{"a": {"b": 1, "b": 2}}'],
    ['a list', '[{"creditLimit": 1}]'],
    ['a text', '"a"'],
    ['two documents', '{}{}'],
    ['a byte order mark', '\ufeff{}'],
    ['a number with more digits than can be sent', '{"creditLimit": 10000000000000000001}'],
    ['a number that is none', '{"creditLimit": 1e999}'],
    ['__proto__', '{"__proto__": {"creditLimit": 9000}}'],
    ['deep nesting', `{"a": ${'['.repeat(150)}${']'.repeat(150)}}`],
    ['another character set', '{}', ['Content-Type', 'application/json; charset=utf-16']],
    ['another type', 'creditLimit=1', ['Content-Type', 'application/x-www-form-urlencoded']],
    ['no type', '{}', []],
    ['two types', '{}', [...JSON_TYPE, 'content-type', 'text/plain']],
    ['a compressed body', '{}', [...JSON_TYPE, 'Content-Encoding', 'gzip']],
    ['two keys', '{}', [...JSON_TYPE, 'x-idempotency-key', 'a', 'X-Idempotency-Key', 'b']],
    ['a key with a line break', '{}', [...JSON_TYPE, 'x-idempotency-key', 'a\nb']],
  ])('is refused with %s', (_, body, headers) => {
    expect(() => readStrictly(raw('PATCH', '/v4/CREDIT/2001', String(body), headers))).toThrow(NotRead)
  })

  it('is refused with bytes that are no UTF-8, and with a body where none belongs', () => {
    const bytes = {...raw('PATCH', '/v4/CREDIT/2001'), body: Buffer.from([0x7b, 0xff, 0x7d])}
    expect(() => readStrictly(bytes)).toThrow(NotRead)
    expect(() => readStrictly(raw('GET', '/v4/3001', '{}'))).toThrow(NotRead)
  })

  it('is the one operation that any server may take its path for, however it is mixed up', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'v4',
        'v1',
        'v3',
        'CREDIT',
        'customer',
        '3001',
        '..',
        '.',
        '',
        '%2e',
        '%2f',
        'card',
        ';',
        '%25',
      ),
      fc.string({maxLength: 4}),
    )
    fc.assert(
      fc.property(
        fc.constantFrom('GET', 'POST', 'PATCH', 'PUT', 'DELETE'),
        fc.array(piece, {minLength: 1, maxLength: 5}),
        (method, pieces) => {
          const path = `/${pieces.join('/')}`
          let read: ReturnType<typeof readStrictly>
          try {
            read = readStrictly(raw(method, path))
          } catch (error) {
            expect(error).toBeInstanceOf(NotRead)
            return
          }
          expect(possibleOperations(method, path).map(({operation}) => operation.id)).toEqual([
            read.operation.id,
          ])
          for (const value of Object.values(read.input.path)) expect(value).not.toMatch(/[/\\?#%;]|^\.+$/)
        },
      ),
      {numRuns: 500},
    )
  })
})
