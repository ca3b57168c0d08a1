// The systemd units of servers, as systemd reads them.
import {spawnSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {fileURLToPath} from 'node:url'
import {expect, onTestFinished, test} from 'vitest'

const [, version = '0'] =
  /^systemd (\d+)/.exec(spawnSync('systemd-analyze', ['--version'], {encoding: 'utf8'}).stdout ?? '') ?? []
const isInstalled = version !== '0'
/** From 0, no access to anything, to 100, all rights of root. */
const MOST_EXPOSED = 20

/** Each with the name of a unit of it. */
const UNITS = [
  ['team/cardctl-sandbox@.service', 'cardctl-sandbox@8481.service'],
  ['gate/cardctl-gate.service', 'cardctl-gate.service'],
] as const

test.skipIf(!isInstalled).each(UNITS)('systemd finds nothing wrong with %s', (path, name) => {
  const folder = mkdtempSync(join(tmpdir(), 'cardctl-unit-'))
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}))
  const unit = readFileSync(new URL(`../../examples/${path}`, import.meta.url), 'utf8')
  const file = join(folder, name)
  const verify = (text: string) => {
    writeFileSync(file, text)
    const {status, stderr} = spawnSync('systemd-analyze', ['verify', file], {encoding: 'utf8'})
    return {
      status,
      stderr: stderr
        .split('\n')
        .filter(line => line.includes(file))
        .join('\n'),
    }
  }
  const installed = unit.replace('/usr/local/bin/cardctl', process.execPath)
  expect(verify(installed)).toEqual({status: 0, stderr: ''})
  // It does find something.
  expect(verify(installed.replace(/Restart=.*/, 'Restart=whenever')).stderr).toContain('whenever')
})

// Only since version 250 without a running systemd.
test.skipIf(Number(version) < 250).each(UNITS)('%s leaves the service few rights', path => {
  const unit = fileURLToPath(new URL(`../../examples/${path}`, import.meta.url))
  const argv = ['security', '--offline=true', `--threshold=${MOST_EXPOSED}`, unit]
  const {status, stdout} = spawnSync('systemd-analyze', argv, {encoding: 'utf8'})
  expect(stdout).toContain('Overall exposure level')
  expect(status, stdout).toBe(0)
})
