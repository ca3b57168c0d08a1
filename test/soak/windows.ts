// Makes the package for Windows, unpacks it, and tries it in Wine, in a Debian of its own (tools/wine-root.ts). Needs root,
// debootstrap, gcc-mingw-w64-x86-64, Debian's packages and the registry of npm.
import {execFileSync} from 'node:child_process'
import {copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import pjson from '../../package.json' with {type: 'json'}
import {makeWineRoot, runInWine, SHARED_IN_WINE} from '../../tools/wine-root.ts'

const folder = mkdtempSync(join(tmpdir(), 'cardctl-windows-'))
const extent = process.argv[2] ?? 'whole'
const seed = process.env.SEED ?? String(Date.now() % 1_000_000)
try {
  makeWineRoot()
  execFileSync('node', ['tools/package.ts', '--platform', 'win32-x64', '--fast', '--out', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const name = `cardctl-${pjson.version}-win32-x64`
  const unpack = 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])'
  execFileSync('python3', ['-c', unpack, join(folder, `${name}.zip`), folder])
  const echo = join(folder, 'echo')
  mkdirSync(join(echo, 'bin'), {recursive: true})
  copyFileSync(join(folder, name, 'cardctl.exe'), join(echo, 'cardctl.exe'))
  cpSync(join(folder, name, 'runtime'), join(echo, 'runtime'), {recursive: true})
  writeFileSync(join(echo, 'bin/run.js'), 'process.stdout.write(JSON.stringify(process.argv.slice(2)))\n')
  copyFileSync(join(import.meta.dirname, 'platform-lines.cjs'), join(folder, 'checks.cjs'))
  const hand = [
    '-municode',
    '-O2',
    '-o',
    join(folder, 'hand.exe'),
    join(import.meta.dirname, 'windows-hand.c'),
  ]
  execFileSync('x86_64-w64-mingw32-gcc', hand, {stdio: 'inherit'})
  const windows = (below: string) => `${SHARED_IN_WINE}\\${below}`
  const {status, stdout, stderr} = runInWine(
    `${name}/runtime/node.exe`,
    ['checks.cjs', windows(name), windows('echo'), seed, '1', extent, windows('hand.exe')],
    {folder, timeout: 1_800_000},
  )
  process.stdout.write(stdout)
  const lines = stdout.split(/\r?\n/)
  const good = lines.filter(line => line.startsWith('ok\t')).length
  const faults = lines.filter(line => line.startsWith('FAULT\t')).length
  const isWhole = status === 0 && lines.includes('end')
  if (!isWhole) process.stdout.write(`The checks ended with ${status}: ${stderr.slice(0, 2000)}\n`)
  process.stdout.write(`${good} checks good, ${faults} faults, seed ${seed}\n`)
  process.exitCode = isWhole && faults === 0 && good > 0 ? 0 : 1
} finally {
  rmSync(folder, {recursive: true, force: true})
}
