import {chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:net'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import process from 'node:process'
import {afterAll, describe, expect, it} from 'vitest'
import {checkSocketFolder, freeSocket, openToGroup} from '../../../src/commands/gate/shared/socket-folder.ts'

const uid = process.geteuid?.() ?? -1
const gid = process.getegid?.() ?? -1
/** In /tmp the folders of any user but root are refused. */
const base = realpathSync(mkdtempSync(join(uid === 0 ? tmpdir() : process.cwd(), 'folder-')))
afterAll(() => rmSync(base, {recursive: true}))

/** The group of this process, as if it were that of a caller alone. */
const ALONE = {
  passwd: `server:x:${uid}:99:::\ncaller:x:64123:${gid}:::\nother:x:64124:64124:::\n`,
  group: `callers:x:${gid}:\n`,
}

let made = 0
function folder(mode = 0o2710): string {
  const path = join(base, `caller-${++made}`)
  mkdirSync(path)
  chmodSync(path, mode)
  return join(path, 'prod.sock')
}

describe('the folder of a socket', () => {
  it('is taken if only the caller can enter it', () => {
    expect(() => checkSocketFolder(folder(), 'caller', uid, ALONE)).not.toThrow()
  })

  it.each<[why: string, mode: number, accounts: Partial<typeof ALONE>, user: string, said: RegExp]>([
    ['everybody can enter it', 0o2711, {}, 'caller', /others than its group/],
    ['everybody can list it', 0o2714, {}, 'caller', /others than its group/],
    ['its group can write it', 0o2730, {}, 'caller', /its group can write it/],
    ['its files get another group', 0o710, {}, 'caller', /do not get that group/],
    ['its group can not enter it', 0o2700, {}, 'caller', /can not enter it/],
    [
      'its group lists another user',
      0o2710,
      {group: `callers:x:${gid}:other\n`},
      'caller',
      /members than caller: other/,
    ],
    [
      'it is the first group of another user',
      0o2710,
      {passwd: `${ALONE.passwd}more:x:64125:${gid}:::\n`},
      'caller',
      /members than caller: more/,
    ],
    ['the user is not in its group', 0o2710, {}, 'other', /other members than other: caller/],
    ['there is no such user', 0o2710, {}, 'nobody-here', /no user nobody-here/],
    ['the user runs the server', 0o2710, {}, 'server', /would have its credential/],
  ])('is refused if %s', (_, mode, accounts, user, said) => {
    expect(() => checkSocketFolder(folder(mode), user, uid, {...ALONE, ...accounts})).toThrow(said)
  })

  it('is refused if it is another one’s, a file, missing, too deep, or below what others can write', () => {
    const socket = folder()
    expect(() => checkSocketFolder(socket, 'caller', uid + 1, ALONE)).toThrow(/does not belong/)
    expect(() => checkSocketFolder(join(base, 'none', 'a.sock'), 'caller', uid, ALONE)).toThrow(
      /does not exist/,
    )
    expect(() => checkSocketFolder(join(base, 'a'.repeat(110)), 'caller', uid, ALONE)).toThrow(/longer/)
    writeFileSync(join(base, 'file'), '')
    expect(() => checkSocketFolder(join(base, 'file', 'a.sock'), 'caller', uid, ALONE)).toThrow(/no folder/)
    chmodSync(base, 0o777)
    expect(() => checkSocketFolder(socket, 'caller', uid, ALONE)).toThrow(/other users can write it/)
    chmodSync(base, 0o755)
  })

  it.runIf(uid === 0)('is refused in a folder where any user can make one first', () => {
    const server = 64_321
    const accounts = {...ALONE, passwd: ALONE.passwd.replace(`:${uid}:`, `:${server}:`)}
    const socket = folder()
    chownSync(dirname(socket), server, gid)
    chmodSync(dirname(socket), 0o2710)
    expect(() => checkSocketFolder(socket, 'caller', server, accounts)).not.toThrow()
    chmodSync(base, 0o1777)
    expect(() => checkSocketFolder(socket, 'caller', server, accounts)).toThrow(
      /any user could make it in .*: use one below \/run/,
    )
    chmodSync(base, 0o755)
  })

  it('loses the socket of an ended server, and nothing else', async () => {
    const socket = folder()
    const server = createServer().listen(socket)
    await new Promise(resolve => server.once('listening', resolve))
    openToGroup(socket)
    await expect(freeSocket(socket)).rejects.toThrow(/Another server listens/)
    await new Promise(resolve => server.close(resolve))
    await freeSocket(socket)
    writeFileSync(socket, 'a file')
    await expect(freeSocket(socket)).rejects.toThrow(/something else has its name/)
  })
})
