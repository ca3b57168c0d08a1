// A short part of test/soak/windows.ts, on machines that have its root: the package for Windows starts, writes, is killed, and
// several processes of it share a journal.
import {spawnSync} from 'node:child_process'
import process from 'node:process'
import {expect, test} from 'vitest'
import {hasWine} from '../../tools/wine-root.ts'

const hasCompiler = spawnSync('x86_64-w64-mingw32-gcc', ['--version']).status === 0

test.skipIf(!hasWine || !hasCompiler)('the package for Windows runs in Wine', {timeout: 900_000}, () => {
  const soak = spawnSync(process.execPath, ['test/soak/windows.ts', 'short'], {encoding: 'utf8'})
  expect(soak).toMatchObject({status: 0, stdout: expect.stringContaining('it is resumed to its end')})
})
