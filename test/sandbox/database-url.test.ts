// The URL of a database is a secret: whatever is wrong with it, the message holds nothing of the password.
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {Failure} from '../../src/errors/failure.ts'
import {placeOf} from '../../src/postgres/connect.ts'
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
    "The URL of the database can't be used: it has a parameter other than host, sslmode, sslrootcert, sslcert and sslkey; in a password, write ? as %3F.",
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
