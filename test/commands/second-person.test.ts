// docs/four-eyes.md, as far as one person can show it: what is missing, the try-out, and what an approver reads.
import {chmod, mkdir, readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import process from 'node:process'
import {afterEach, beforeEach, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, type Service} from '../helpers/service.ts'

let home: Home
let service: Service
let folder = ''
beforeEach(async () => {
  home = await openHome()
  service = await openService()
  folder = join(home.folder, 'proposals')
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

const RULES = ['destroyed', 'irreversible', 'EUR:100'].flatMap(rule => ['--second-person-for', rule])

async function addProfile(name: string, kind = 'sandbox', more: readonly string[] = ['--proposals', folder]) {
  const at = ['--kind', kind, '--base-url', service.url, '--auth', 'none', '--profile-audit-user', name]
  const added = await home.run(['profiles', 'add', name, ...at, ...RULES, ...more])
  expect(added).toMatchObject({code: 0})
  return added
}

/** Both profiles of the try-out. */
async function addBoth(): Promise<void> {
  await mkdir(folder, {mode: 0o700})
  await addProfile('aino')
  await addProfile('bo')
}

async function propose(...argv: readonly string[]): Promise<string> {
  const {code, stdout, stderr} = await home.run([...argv, '--propose', '-p', 'aino', '-o', 'json'])
  expect({code, stderr}).toMatchObject({code: 0})
  return (JSON.parse(stdout) as {id: string}).id
}

const CLOSE = ['accounts', 'close', '2001', '--type', 'credit', '--note', 'Customer left', '--ticket', 'T-1']
/** A page without the places where long words may break. */
const read = async (page: string) => (await readFile(page, 'utf8')).replaceAll('<wbr>', '')
const writes = () => service.requests.filter(({method}) => method !== 'GET').length

it.each([[['requests', 'proposals']], [[...CLOSE, '--propose']]])(
  'the embedded sandbox has no proposals, and says where to try them out: %j',
  async argv => {
    const {code, stderr} = await home.run(argv)
    expect(code).toBe(2)
    expect(stderr).toContain('The embedded sandbox is yours alone')
    expect(stderr).toContain('"Try it out alone" of: cardctl help four-eyes')
  },
)

it('the same that waits already is named', async () => {
  await addBoth()
  const send = ['a2a', 'create', '--transfer', '2006:2007:500:EUR:Rent']
  const id = await propose(...send)
  const again = await home.run([...send, '--propose', '-p', 'aino'])
  expect([again.code, again.stderr]).toEqual([
    0,
    expect.stringContaining(`proposed already and waits: ${id}`),
  ])
  const other = await home.run([...CLOSE, '--propose', '-p', 'aino'])
  expect([other.code, other.stderr]).toEqual([0, expect.not.stringContaining('proposed already')])
})

it('who proposes a close reads what has to be seen to first', async () => {
  await addBoth()
  const {code, stderr} = await home.run([...CLOSE, '--propose', '-p', 'aino'])
  expect([code, stderr.replaceAll(/\s+/g, ' ')]).toEqual([
    0,
    expect.stringContaining('so make sure first that no money is left and nothing is owed.'),
  ])
  const limit = ['accounts', 'limit', '2001', '9000', '--type', 'credit', '--propose', '-p', 'aino']
  expect((await home.run(limit)).stderr).not.toContain('make sure')
})

it('what waits is offered by what it does', async () => {
  await addBoth()
  await propose(...CLOSE)
  const id = await propose('accounts', 'close', '2002', '--type', 'debit', '--note', 'Customer left')
  const {code, stdout, stderr} = await home.run(['requests', 'reject', '-p', 'bo'], {
    columns: 80,
    typed: [
      ['Which proposal?', ''],
      ['Why not?', 'Wrong account'],
    ],
  })
  expect(code).toBe(0)
  expect(stderr).toContain('Proposed by aino: CLOSE debit account 2002 for good')
  expect(stderr).toContain('aino reads it (Enter to leave it out)')
  expect(stdout).toContain('Wrong account')
  expect((await home.run(['requests', 'show', id, '-p', 'aino'])).stdout).toContain('Wrong account')
  expect(stderr).toContain('❯ CLOSE debit account 2002 for good, by aino')
  expect(stdout).toContain(`Proposal ${id}`)
})

it('who must propose is not asked for the same again', async () => {
  await addBoth()
  const {code, stderr} = await home.run(['accounts', 'close', '2001', '-p', 'aino'], {
    columns: 200,
    typed: [['Type of account 2001', 'credit']],
  })
  expect(code).toBe(3)
  expect(stderr).toContain('Add --propose to the same command')
  expect(stderr).toContain('To run this again: cardctl accounts close 2001 -p aino --type credit')
})

it('a plan that needs a second person is refused with a way that apply has', async () => {
  await addBoth()
  for (const plan of [
    ['a2a', 'plan', '--transfer', '2006:2007:500:EUR:Rent', '--out', join(home.folder, 'send.plan')],
    [...CLOSE, '--plan', join(home.folder, 'close.plan')],
  ]) {
    expect(await home.run([...plan, '-p', 'aino'])).toMatchObject({code: 0})
    const {code, stderr} = await home.run([
      ...['apply', plan.at(-1) ?? '', '--yes', '-p', 'aino'],
      ...(plan.includes('--plan') ? ['--confirm', 'ACCOUNT_TO_CLOSE:1'] : []),
    ])
    expect([code, stderr]).toEqual([3, expect.stringContaining("A plan can't be proposed")])
    expect(stderr).not.toContain('Add --propose to the same command')
  }
})

it('a rejection needs no reason, and asks for none that was given or where nobody answers', async () => {
  await addBoth()
  const one = await propose(...CLOSE)
  const two = await propose('accounts', 'close', '2002', '--type', 'debit')
  const three = await propose('accounts', 'close', '2003', '--type', 'debit')
  const left = await home.run(['requests', 'reject', one, '-p', 'bo'], {typed: [['Why not?', '']]})
  expect(left).toMatchObject({code: 0, stdout: expect.not.stringContaining('Reason')})
  const given = await home.run(['requests', 'reject', two, '-p', 'bo', '--reason', 'Not yet'], {typed: []})
  expect(given).toMatchObject({code: 0, stderr: expect.not.stringContaining('Why not?')})
  const alone = await home.run(['requests', 'reject', three, '-p', 'bo'])
  expect(alone).toMatchObject({code: 0, stderr: expect.not.stringContaining('Why not?')})
})

it('what was approved is shown as the command itself shows it', async () => {
  await addBoth()
  const agreed = ['--confirm', 'ACCOUNT_TO_CLOSE', '--yes']
  const shown = (text: string): string => text.replaceAll(/ {2,}/g, ' ')
  const id = await propose(...CLOSE)
  const approved = await home.run(['requests', 'approve', id, '-p', 'bo', ...agreed])
  expect(approved.code).toBe(0)
  expect(shown(approved.stdout)).toMatch(/^Account 2001 updated/)
  expect(shown(approved.stdout)).toContain('status ACCOUNT_TO_CLOSE')
  const other = await propose(...CLOSE.with(2, '2002').with(4, 'debit'))
  const asJson = await home.run(['requests', 'approve', other, '-p', 'bo', ...agreed, '-o', 'json'])
  expect(JSON.parse(asJson.stdout)).toMatchObject({id: '2002'})
})

it('last is the one proposal that waits, for a person who is asked', async () => {
  await addBoth()
  const approve = (typed: [string, string][], ...more: string[]) =>
    home.run(['requests', 'approve', 'last', '-p', 'bo', ...more], {typed})
  expect(await approve([['Type', '']])).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('No proposal waits'),
  })
  const id = await propose(...CLOSE)
  const unasked = await home.run([
    'requests',
    'approve',
    'last',
    '-p',
    'bo',
    '--confirm',
    'ACCOUNT_TO_CLOSE',
    '--yes',
  ])
  expect(unasked).toMatchObject({code: 2, stderr: expect.stringContaining('Name its id')})
  const other = await propose('accounts', 'close', '2002', '--type', 'credit')
  expect(await approve([['Type', 'ACCOUNT_TO_CLOSE']])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('2 proposals wait'),
  })
  expect((await home.run(['requests', 'reject', other, '-p', 'bo', '--yes'])).code).toBe(0)
  expect(writes()).toBe(0)
  const approved = await approve([['Type', 'ACCOUNT_TO_CLOSE']])
  expect(approved).toMatchObject({code: 0, stderr: expect.stringContaining(id.slice(0, 12))})
  expect(writes()).toBe(1)
})

it('one person tries it out with two profiles of a sandbox on this machine', async () => {
  await addBoth()
  const id = await propose(...CLOSE)
  const agreed = ['--confirm', 'ACCOUNT_TO_CLOSE', '--yes']
  const own = await home.run(['requests', 'approve', id, ...agreed, '-p', 'aino'])
  expect(own).toMatchObject({code: 3, stderr: expect.stringContaining('the same audit user, aino')})
  expect(own.stderr).toContain('Approve with another profile of this sandbox')
  expect(writes()).toBe(0)
  const approved = await home.run(['requests', 'approve', id, ...agreed, '-p', 'bo'])
  expect(approved).toMatchObject({code: 0, stderr: expect.stringContaining('one person can be two here')})
  expect(writes()).toBe(1)
  // Neither a test service nor its profile of another kind permits it.
  await home.run(['profiles', 'edit', 'bo', '--kind', 'test'])
  await home.run(['profiles', 'edit', 'aino', '--kind', 'test'])
  const other = await propose(...CLOSE)
  const refused = await home.run(['requests', 'approve', other, ...agreed, '-p', 'bo'])
  expect(refused).toMatchObject({code: 3, stderr: expect.stringContaining('the same user of this system')})
  expect(refused.stderr).toContain('cardctl help four-eyes')
  expect(writes()).toBe(1)
})

it('all that is missing is said at once, with the commands', async () => {
  const nothing = await addProfile('aino', 'test', [])
  for (const words of ['No folder is named', 'members is missing', 'names no folder for proposals'])
    expect(nothing.stderr).toContain(words)
  expect(nothing.stderr).toContain('sudo install -d -o root -g cards -m 3770 /srv/cardctl/proposals')
  expect(nothing.stderr).toContain('cardctl profiles edit aino --proposals /srv/cardctl/proposals')
  await mkdir(folder)
  await chmod(folder, 0o777)
  const edited = await home.run(['profiles', 'edit', 'aino', '--proposals', folder])
  const lacking = [
    "replace each other's files",
    'Everybody can write',
    'do not get its group',
    'members is missing',
  ]
  for (const words of lacking) expect(edited.stderr).toContain(words)
  for (const command of ['chmod +t', 'chmod o-w', 'chmod g+s', 'tee'])
    expect(edited.stderr).toContain(`sudo ${command} `)
  const tried = await home.run([...CLOSE, '--propose', '-p', 'aino'])
  expect(tried).toMatchObject({code: 3, stderr: expect.stringContaining('4 things are missing')})
  for (const words of lacking) expect(tried.stderr).toContain(words)
  const {stderr} = await home.run([...CLOSE, '--propose', '-p', 'aino', '-o', 'json'])
  expect(JSON.parse(stderr).error.data.missing).toHaveLength(4)
  // A list without a second person is none.
  await writeFile(join(folder, 'members'), `${process.geteuid?.()} me\n`)
  const alone = await home.run(['profiles', 'edit', 'aino', '--proposals', folder])
  expect(alone.stderr).toContain('names no second person')
})

it('what was corrected while the approver was asked is not sent as it failed', async () => {
  await addBoth()
  const plain = ['profiles', 'add', 'cy', '--kind', 'sandbox', '--base-url', service.url, '--auth', 'none']
  expect((await home.run([...plain, '--profile-audit-user', 'cy'])).code).toBe(0)
  const send = (...transfers: string[]) =>
    home.run([
      ...['a2a', 'create', '--wait', '--yes', '-p', 'cy'],
      ...transfers.flatMap(transfer => ['--transfer', transfer]),
    ])
  expect((await send('2006:9999:500:EUR:Cellar', '2006:2003:4:EUR:Fee')).code).toBe(11)
  const id = await propose('a2a', 'create', '--transfer', '2006:9999:500:EUR:Cellar')
  const before = writes()
  const meanwhile = async (): Promise<string> => {
    expect((await send('2006:2007:500:EUR:Cellar')).code).toBe(0)
    return 'y'
  }
  const {code, stderr} = await home.run(['requests', 'approve', id, '-p', 'bo'], {
    typed: [['Continue?', meanwhile]],
  })
  expect([code, stderr.replaceAll(/\s+/g, ' ')]).toEqual([
    14,
    expect.stringMatching(
      /While the question stood here, others sent\. .*failed before, and may have been sent since with another account.* Nothing was sent now\./,
    ),
  ])
  expect(writes() - before).toBe(1)
  expect((await home.run(['requests', 'proposals', '-p', 'bo'])).stdout).toContain(id)
})

it('the list says sums and what cannot be undone', async () => {
  await addBoth()
  const limit = ['accounts', 'limit', '2001', '--type', 'credit']
  await home.json([...limit.toSpliced(3, 0, '6000'), '-p', 'bo'])
  const transfers = Array.from({length: 41}, (_, at) => [
    '--transfer',
    `2006:2007:258.1${at % 10}:EUR`,
  ]).flat()
  await propose(...CLOSE)
  await propose(...limit.toSpliced(3, 0, '9000'))
  await propose('pricelists', 'delete', '5002')
  const batch = await propose('a2a', 'create', ...transfers, '--same-rows', '31')
  const {stdout} = await home.run(['requests', 'proposals', '-p', 'bo'])
  expect(stdout).toContain('send 41 transfers, EUR 10\u202f583.90')
  expect(stdout).toContain('CLOSE credit account 2001 for good')
  expect(stdout).toContain('DELETE price list 5002 for good')
  expect(stdout).toContain('change the limit of credit account 2001: 6\u202f000 → 9\u202f000')
  expect(stdout).toContain('last sent from this machine')
  expect(stdout).toMatch(/T-1 +Customer left/)
  const page = await home.run(['requests', 'show', batch, '-p', 'bo'])
  expect(page.stdout.match(/^ +\d+ {2}2006 {2}2007 {2}EUR 258\.1\d$/gm)).toHaveLength(41)
  const {rows} = (await home.json(['requests', 'show', batch, '-p', 'bo'])) as {rows: readonly unknown[]}
  expect(rows[40]).toEqual({fromAccountId: '2006', toAccountId: '2007', amount: 258.1, currency: 'EUR'})
})

it('what waits is open in the report of a shift, and what was approved names both persons', async () => {
  await addBoth()
  const id = await propose('a2a', 'create', '--transfer', '2006:2007:250:EUR', '--ticket', 'T-7')
  const page = join(home.folder, 'shift.html')
  const shift = ['report', 'shift', '-p', 'aino']
  const {stdout} = await home.run([...shift, '--html', page], {columns: 160})
  for (const text of [stdout, await read(page)]) {
    expect(text).toContain('1 open')
    expect(text).toContain('1 proposal waiting')
    expect(text).toContain(id)
  }
  expect(await home.json(shift)).toMatchObject({
    open: 1,
    waiting: [
      {proposal: id, proposedBy: 'aino', ticket: 'T-7', action: expect.stringContaining('1 transfer')},
    ],
  })
  expect((await home.run([...shift, '-o', 'csv'])).stdout).toMatch(
    new RegExp(`propose,.*waiting.*${id},aino`),
  )
  expect(await home.json([...shift, '--by', 'bo'])).toMatchObject({open: 0, waiting: []})
  // It is the service's shift, whichever profile names the folder.
  await home.run([
    'profiles',
    'add',
    'reader',
    '--kind',
    'sandbox',
    '--base-url',
    service.url,
    '--auth',
    'none',
  ])
  expect(await home.json(['report', 'shift', '-p', 'reader'])).toMatchObject({
    open: 1,
    waiting: [{proposal: id}],
  })
  const approved = await home.run(['requests', 'approve', id, '-p', 'bo', '--yes'], {columns: 160})
  expect(approved.stderr).toMatch(/2006 +2007 +EUR 250\.00/)
  expect(await home.json(shift)).toMatchObject({
    waiting: [],
    entries: [{auditUser: 'bo', proposedBy: 'aino', proposal: id}],
  })
  expect((await home.run(shift, {columns: 160})).stdout).toContain('bo, proposed by aino')
})

it('what was rejected is in the report of a shift, with who did it and why', async () => {
  await addBoth()
  const id = await propose('a2a', 'create', '--transfer', '2006:2007:250:EUR', '--ticket', 'T-7')
  await home.run(['requests', 'reject', id, '-p', 'bo', '--reason', 'Paid in May'])
  const page = join(home.folder, 'shift.html')
  const shift = ['report', 'shift', '-p', 'aino']
  const {stdout} = await home.run([...shift, '--html', page], {columns: 160})
  for (const text of [stdout, await read(page)])
    for (const part of ['Rejected by a second person: not sent', 'from 2006 to 2007', 'bo', 'Paid in May'])
      expect(text).toContain(part)
  const rejected = [
    {proposal: id, proposedBy: 'aino', rejectedBy: 'bo', reason: 'Paid in May', ticket: 'T-7'},
  ]
  expect(await home.json(shift)).toMatchObject({open: 0, waiting: [], rejected})
  expect((await home.run([...shift, '-o', 'csv'])).stdout).toMatch(
    new RegExp(`reject,.*rejected.*${id},aino`),
  )
  expect(await home.json([...shift, '--by', 'bo'])).toMatchObject({rejected})
  for (const other of [
    ['--by', 'root'],
    ['--ticket', 'T-8'],
    ['--since', '2020-01-01', '--until', '2020-01-02'],
  ])
    expect(await home.json([...shift, ...other])).toMatchObject({rejected: []})
})

it('many rows open in the pager, and are listed for who reads on demand', async () => {
  await addBoth()
  const rows = Array.from({length: 60}, (_, at) => ['--transfer', `2006:2007:1.${at + 10}:EUR`]).flat()
  const id = await propose('a2a', 'create', ...rows)
  const paged = join(home.folder, 'paged')
  const approve = ['requests', 'approve', id, '-p', 'bo']
  const typed = [['Continue?', 'n']] as const
  const env = {CARDCTL_PAGER: `cat > ${paged}`, TERM: 'xterm', PATH: process.env.PATH ?? ''}
  expect(await home.run(approve, {typed, env, columns: 80, rows: 24})).toMatchObject({code: 2})
  expect((await readFile(paged, 'utf8')).match(/2006 {2}2007 {2}EUR 1\.\d\d$/gm)).toHaveLength(60)
  const accessible = await home.run(approve, {typed, env: {CARDCTL_ACCESSIBLE: '1'}})
  expect(accessible.stderr.replaceAll('\n', ' ')).toContain(`cardctl requests show ${id}`)
  expect(accessible.stderr).not.toContain('1.42')
  expect(writes()).toBe(0)
})

it('a change of remote checkout shows what is enrolled now', {timeout: 30_000}, async () => {
  await addBoth()
  const bid = ['--bid', 'SANDBOX', '-p', 'bo']
  const card = ['--customer', '1001', '--card', '3001', '--email', 'aino@example.com']
  expect(await home.run(['remotecheckout', 'enroll', ...card, ...bid])).toMatchObject({code: 0})
  const enrolled = () =>
    home.run(['remotecheckout', 'get', '--customer', '1001', ...bid]).then(({stdout}) => stdout)
  await expect.poll(enrolled).toContain('3001')
  const id = await propose('remotecheckout', 'delete', '--customer', '1001', '--bid', 'SANDBOX')
  const {stderr} = await home.run(['requests', 'approve', id, '-p', 'bo'], {typed: [['Type', 'n']]})
  expect(stderr).toMatch(/^ Cards\n Card +Status/m)
  expect(stderr).toContain('aino@example.com')
  expect(service.requests.filter(({url}) => url.includes('/delete/'))).toEqual([])
})

it('a request of which no byte left the machine is not called sent', async () => {
  const dead = [
    '--kind',
    'test',
    '--base-url',
    'http://127.0.0.1:9',
    '--auth',
    'none',
    '--audit-user',
    'aino',
  ]
  await home.json(['profiles', 'add', 'dead', ...dead])
  const limit = await home.run(['accounts', 'limit', '2001', '6000', '--type', 'credit', '-p', 'dead'])
  expect(limit).toMatchObject({code: 9, stderr: expect.stringContaining('Nothing reached the service.')})
  const shown = await home.run(['requests', 'show', 'last', '-p', 'dead'])
  expect(shown.stdout).toMatch(/^ Request r_\w+ +Nothing reached the service ●$/m)
  expect((await home.run(['requests', 'list', '-p', 'dead'])).stdout).toContain('not sent')
  expect(await home.json(['requests', 'show', 'last', '-p', 'dead'])).toMatchObject({
    state: 'none',
    left: false,
  })
})
