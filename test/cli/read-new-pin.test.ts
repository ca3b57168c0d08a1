import {describe, expect, it} from 'vitest'
import {readNewPin} from '../../src/commands/pin/shared/read-new-pin.ts'
import {Secret} from '../../src/sensitive/secret.ts'

/** A person, or a pipe, who types these lines one after the other. */
function typing(...lines: string[]) {
  const asked: string[] = []
  const told: string[] = []
  const handed: Secret<Buffer>[] = []
  const questions = {
    read: async (what: string) => {
      asked.push(what)
      const secret = new Secret(Buffer.from(lines.shift() ?? ''))
      handed.push(secret)
      return secret
    },
    problemOf: (pin: Secret<Buffer>) => (pin.open().toString() === '1234' ? 'Too easy.' : undefined),
    tell: (problem: string) => told.push(problem),
  }
  return {asked, told, handed, questions, rest: lines}
}

const isWiped = (secret: Secret<Buffer>): boolean => {
  try {
    secret.open()
    return false
  } catch {
    return true
  }
}

describe('on a terminal', () => {
  it('asks twice', async () => {
    const {asked, handed, questions} = typing('8253', '8253')
    const pin = await readNewPin({...questions, person: true})
    expect(pin.open().toString()).toBe('8253')
    expect(asked).toEqual(['New PIN', 'The same PIN again'])
    expect(handed.map(isWiped)).toEqual([false, true])
  })

  it('asks again after a PIN that is not good, and after two that differ', async () => {
    const {told, handed, questions} = typing('1234', '8253', '8254', '8253', '8253')
    const pin = await readNewPin({...questions, person: true})
    expect(pin.open().toString()).toBe('8253')
    expect(told).toEqual(['Too easy. Ctrl-C leaves.', 'The two PINs differ. Ctrl-C leaves.'])
    expect(handed.filter(secret => !isWiped(secret))).toEqual([pin])
  })

  it('asks until it is right, so that no PIN is typed into the shell, and leaves the others nowhere in memory', async () => {
    const wrong = Array.from({length: 7}, () => '1234')
    const {told, handed, questions} = typing(...wrong, '8253', '8253')
    const pin = await readNewPin({...questions, person: true})
    expect(told).toHaveLength(7)
    expect(handed.filter(secret => !isWiped(secret))).toEqual([pin])
  })
})

describe('on a pipe', () => {
  it('takes one line and asks nobody', async () => {
    const {asked, questions} = typing('8253', '9999')
    expect((await readNewPin({...questions, person: false})).open().toString()).toBe('8253')
    expect(asked).toHaveLength(1)
  })

  it('refuses at once', async () => {
    const {told, questions} = typing('1234', '8253')
    await expect(readNewPin({...questions, person: false})).rejects.toThrow(/^Too easy\. Nothing was sent\.$/)
    expect(told).toEqual([])
  })
})
