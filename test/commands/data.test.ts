import {mkdirSync, readdirSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

const DATA = '.local/share/cardctl'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

interface Kept {
  readonly name: string
  readonly path: string
  readonly files: number
  readonly bytes: number
  readonly remove: string
}

describe('data where', () => {
  it('lists nothing before the first use, and creates nothing', async () => {
    expect(await home.json(['data', 'where'])).toEqual([])
    expect(readdirSync(home.folder)).toEqual([])
  })

  it('lists every file that commands leave, with its size', async () => {
    const proposals = join(home.folder, 'team')
    mkdirSync(proposals, {mode: 0o700})
    const url = 'https://api.example'
    await home.run(['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=6000'])
    await home.run(['bulk', 'run', 'accounts', 'patch', '--type', 'credit', '--from', '-', '--yes'], {
      stdin: 'id,creditLimit\n2001,6001\n',
    })
    const add = ['profiles', 'add', 'own', '--kind', 'test', '--base-url', url, '--auth', 'bearer']
    await home.run([...add, '--secret', '-', '--proposals', proposals], {stdin: 'a-token\n'})
    await home.run(['webhook', 'test', '--rule', 'approve'])
    await home.run(['completion', 'install', 'bash', '--yes'])
    const create = ['a2a', 'create', '--from', 'examples/transfers.csv', '--dry-run']
    await home.run([...create, '--save-mapping', 'acme'])
    await home.run(['contract', 'import', 'examples/rates.yaml', '--name', 'rates', '-p', 'own'])
    writeFileSync(join(proposals, 'p_1.json'), '{}')

    const listed = await home.json<Kept[]>(['data', 'where'])
    const ours = readdirSync(home.folder, {recursive: true, withFileTypes: true})
      .filter(file => file.isFile() && file.name !== '.bashrc')
      .map(file => join(file.parentPath, file.name))
    expect(listed.filter(({name}) => name === 'other')).toEqual([])
    const total = (of: readonly number[]) => of.reduce((sum, each) => sum + each, 0)
    expect(total(listed.map(({files}) => files))).toBe(ours.length)
    expect(total(listed.map(({bytes}) => bytes))).toBe(total(ours.map(path => statSync(path).size)))
    const names = listed.map(({name}) => name)
    for (const name of [
      'profiles.json',
      'mappings.json',
      'completion/',
      'journal/SERVICE.db',
      'journal/local.key',
      'audit.ndjson',
      'audit.key',
      'sandbox/sandbox.db',
      'secrets.json',
      'contracts/PROFILE/',
      'proposals',
    ])
      expect(names).toContain(name)
  })

  it('lists each service on its own, and what cardctl did not write as other', async () => {
    mkdirSync(join(home.folder, DATA, 'journal'), {recursive: true})
    for (const name of ['journal/a.db', 'journal/a.db-wal', 'journal/b.db', 'journal/b.json', 'notes.txt'])
      writeFileSync(join(home.folder, DATA, name), 'x')
    const listed = await home.json<Kept[]>(['data', 'where'])
    expect(listed.map(({name, files}) => [name, files])).toEqual([
      ['journal/SERVICE.db', 2],
      ['journal/SERVICE.db', 2],
      ['other', 1],
    ])
    expect(listed[0]?.path).toBe(join(home.folder, DATA, 'journal/a.db'))
  })

  it('says on a terminal how to remove each', async () => {
    await home.run(['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=6000'])
    const {stdout} = await home.run(['data', 'where'], {columns: 200})
    expect(stdout).toContain('audit prune --export FILE')
    expect(stdout).toContain('requests prune')
  })
})
