// Who could listen on the Unix socket of a profile: whose its folder is, and nobody else.
import {chmod, chown, lchown, mkdir, mkdtemp, rm, symlink, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {openToOthers} from '../../src/network/check-socket.ts'

const SERVER = 64_321
const STRANGER = 64_322
let root: string
let folder: string
let socket: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'socket-'))
  folder = join(root, 'robot')
  socket = join(folder, 'prod.sock')
  await mkdir(folder, {mode: 0o710})
  await writeFile(socket, '')
})
afterEach(() => rm(root, {recursive: true}))

it('is used where only the owner of the folder can put one', async () => {
  expect(openToOthers(socket)).toBeUndefined()
  await rm(socket)
  expect(openToOthers(socket)).toBeUndefined()
  expect(openToOthers(join(root, 'missing', 'prod.sock'))).toBeUndefined()
})

it.each([
  ['its folder', 0o770],
  ['its folder', 0o1777],
])('is not used where others can write %s (%s)', async (_, mode) => {
  await chmod(folder, mode)
  expect(openToOthers(socket)).toContain(`can write ${folder}`)
})

it('is not used where others can replace the folder', async () => {
  await chmod(root, 0o777)
  expect(openToOthers(socket)).toContain(`can write ${root}`)
  await chmod(root, 0o1777)
  expect(openToOthers(socket)).toBeUndefined()
})

describe.runIf(process.geteuid?.() === 0)('of other users', () => {
  it('is used if it is of the owner of its folder', async () => {
    await chown(folder, SERVER, SERVER)
    await chown(socket, SERVER, SERVER)
    expect(openToOthers(socket)).toBeUndefined()
  })

  it('is not used where any user can make its folder, a folder above, or a link on the way', async () => {
    await chmod(root, 0o1777)
    await chown(folder, STRANGER, STRANGER)
    expect(openToOthers(socket)).toContain(`any user could have made ${folder}`)
    const below = join(folder, 'prod')
    await mkdir(below)
    await chown(below, STRANGER, STRANGER)
    expect(openToOthers(join(below, 'prod.sock'))).toContain(`any user could have made ${folder}`)
    const theirs = join(root, 'theirs')
    await mkdir(theirs, {mode: 0o755})
    const link = join(root, 'link')
    await symlink(below, link)
    await lchown(link, STRANGER, STRANGER)
    await chown(folder, 0, 0)
    expect(openToOthers(join(below, 'prod.sock'))).toBeUndefined()
    expect(openToOthers(join(link, 'prod.sock'))).toContain(`any user could have made ${link}`)
    await symlink(link, join(theirs, 'again'))
    expect(openToOthers(join(theirs, 'again', 'prod.sock'))).toContain(`any user could have made ${link}`)
  })

  it('is not used if a third user has it, a folder above, or a link on the way', async () => {
    await chown(socket, STRANGER, STRANGER)
    expect(openToOthers(socket)).toContain('two users')
    await chown(socket, 0, 0)
    await chown(root, STRANGER, STRANGER)
    expect(openToOthers(socket)).toContain(`${root} belongs to a third user`)
    await chown(root, 0, 0)
    const link = join(root, 'link')
    await symlink(folder, link)
    expect(openToOthers(join(link, 'prod.sock'))).toBeUndefined()
    await rm(link)
    await mkdir(join(root, 'theirs'))
    await symlink(folder, join(root, 'theirs', 'link'))
    await chown(join(root, 'theirs'), STRANGER, STRANGER)
    expect(openToOthers(join(root, 'theirs', 'link', 'prod.sock'))).toContain('third user')
  })
})
