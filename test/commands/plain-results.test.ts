// What a person reads after a command is in words, and has no names of fields that only programs know.
import {afterEach, beforeEach, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const run = (line: string) => home.run([...line.split(' '), '-p', 'sandbox'], {columns: 120})

it('the batches of a plan are shown as batches are', async () => {
  const plan = `${home.folder}/rent.plan`
  await run(`a2a plan --transfer 2006:2007:12.5:EUR:Rent --out ${plan}`)
  const {code, stdout} = await run(`apply ${plan} --yes`)
  expect(code).toBe(0)
  expect(stdout).toContain('EUR 12.50')
  expect(stdout).not.toMatch(/transferItemCount|totalAmount/)
})

it('what is known of a period is shown as the request that changed it', async () => {
  await run('pricelists period patch 6003 --value 2 --yes')
  const {stdout} = await run('find 6003')
  expect(stdout).toContain('change price list period 6003: value 2')
  expect(stdout).not.toMatch(/effectMark|replyId|sent\.value/)
})

it('a list of one value has no number', async () => {
  const {stdout} = await run(
    'remotecheckout enroll --customer 1001 --card 3001 --email a@b.example --bid X --yes',
  )
  expect(stdout).toMatch(/overrides emails +a@b\.example\n/)
  expect(stdout).toMatch(/cardId +3001\n/)
})
