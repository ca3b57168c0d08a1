// The URL of a database is a secret: whatever is wrong with it, the message holds nothing of the password.
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {Failure} from '../../src/errors/failure.ts'
import {placeOf} from '../../src/postgres/place.ts'
import {Secret} from '../../src/sensitive/secret.ts'

function messageFor(url: string): string | undefined {
  try {
    placeOf({url: new Secret(url)})
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(Failure)
    return (error as Failure).message
  }
}

test('a password with a plain ? is not quoted as a parameter', () => {
  expect(messageFor('postgres://user:12?secretpassword@host/db')).toBe(
    "The URL of the database can't be used: it has a parameter other than host, sslmode, sslrootcert, sslcert, sslkey and target_session_attrs; in a password, write ? as %3F.",
  )
})

test('a plain % in a password is named as what is wrong', () => {
  expect(messageFor('postgres://user:50%zz@host/db')).toContain('write a % itself as %25')
})

test('no message quotes the password', () => {
  const mark = 'Hunter2Hunter2'
  const around = fc.string({unit: fc.constantFrom(...'?#/%@:&=[]+ 1a'), maxLength: 6})
  fc.assert(
    fc.property(around, around, (before, after) => {
      expect(messageFor(`postgres://user:${before}${mark}${after}@host/db`) ?? '').not.toContain(mark)
    }),
  )
})

test('several hosts are tried in order, each with its port; only one that takes writes will do', () => {
  const url = 'postgres://app:a%40b@one:5433,[::1],two.example/db?sslmode=verify-full'
  const {hosts, isWritable, password, shown} = placeOf({url: new Secret(url)})
  expect(hosts.map(({host, port, usesTls}) => [host, port, usesTls])).toEqual([
    ['one', 5433, true],
    ['::1', 5432, true],
    ['two.example', 5432, true],
  ])
  expect({isWritable, password, shown}).toEqual({
    isWritable: true,
    password: 'a@b',
    shown: 'one:5433,[::1]:5432,two.example:5432/db',
  })
})

test.each([
  ['postgres://app@one/db', false],
  ['postgres://app@one/db?target_session_attrs=read-write', true],
  ['postgres://app@one/db?target_session_attrs=primary', true],
  ['postgres://app@one,two/db?target_session_attrs=any', false],
  ['postgres://app@localhost/db?host=/run/one,/run/two', true],
])('%s: whether it must take writes is %s', (url, isWritable) => {
  expect(placeOf({url: new Secret(url)}).isWritable).toBe(isWritable)
})

test.each(['standby', 'read-only', 'prefer-standby', 'rw'])('target_session_attrs=%s is refused', wanted => {
  expect(messageFor(`postgres://app@one,two/db?target_session_attrs=${wanted}`)).toBe(
    "The URL of the database can't be used: target_session_attrs takes any, read-write or primary; cardctl writes to the database.",
  )
})

test.each(['postgres://app@one,/db', 'postgres://app@,one/db', 'postgres://app@one:x,two/db'])(
  '%s is refused',
  url => expect(messageFor(url)).toContain('it is not a postgres:// URL'),
)
