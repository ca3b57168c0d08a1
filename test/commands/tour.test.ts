import {readdir} from 'node:fs/promises'
import {expect, it, onTestFinished} from 'vitest'
import {openHome} from '../helpers/cli.ts'

it('shows what each of its writes changed, and leaves nothing in the home', async () => {
  const home = await openHome()
  onTestFinished(() => home.remove())
  const {code, stdout} = await home.run(['tour'], {columns: 120})
  expect(code).toBe(0)
  const after = (command: string) => stdout.slice(stdout.indexOf(`$ cardctl ${command}`))
  expect(after('accounts patch')).toMatch(
    /creditLimit=8000\n[\s\S]*2001 +CREDIT .* 8\u202f000 .* EUR 8\u202f000\.00 +1\n/,
  )
  expect(after('a2a create')).toMatch(/2006:2007:12\.50:EUR[\s\S]*available +9987\.5\n/)
  expect(await readdir(home.folder)).toEqual([])
})
