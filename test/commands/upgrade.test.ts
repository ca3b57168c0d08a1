import {mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {afterEach, beforeEach, expect, it} from 'vitest'
import {installationIn, upgradeSteps} from '../../src/cli/installation.ts'
import {openHome} from '../helpers/cli.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardctl-upgrade-'))
})
afterEach(() => rmSync(folder, {recursive: true, force: true}))

/** Lays files into the folder, and gives the commands for the program in `at`. */
function commandsFor(
  at: string,
  files: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = 'linux',
) {
  for (const [name, text] of Object.entries({[`${at}/package.json`]: '{}', ...files})) {
    mkdirSync(dirname(join(folder, name)), {recursive: true})
    writeFileSync(join(folder, name), text)
  }
  const installation = installationIn(join(folder, at), platform)
  const steps = upgradeSteps(installation, {platform, arch: 'x64'})
  const commands = steps.flatMap(({command = ''}) => (command === '' ? [] : [command]))
  return [installation.kind, ...commands.map(command => command.replaceAll(folder, 'ROOT'))]
}

const CHECK = 'cardctl doctor'

it('names the folder of npm, for a global installation', () => {
  expect(commandsFor('lib/node_modules/cardctl', {'bin/cardctl': ''})).toEqual([
    'npm-global',
    'npm install --global --prefix ROOT ./cardctl-VERSION.tgz',
    CHECK,
  ])
})

it('knows a global installation on Windows by the program beside it', () => {
  expect(commandsFor('node_modules/cardctl', {'cardctl.cmd': ''}, 'win32')[0]).toBe('npm-global')
})

it('names the project, for an installation in a folder', () => {
  expect(commandsFor('my project/node_modules/cardctl', {'my project/package.json': '{}'})).toEqual([
    'npm-folder',
    "npm install --prefix 'ROOT/my project' ./cardctl-VERSION.tgz",
    CHECK,
  ])
})

it('unpacks beside the old folder, for a tarball', () => {
  const at = 'cardctl-0.1.0-linux-x64'
  expect(commandsFor(at, {[`${at}/distribution`]: 'tarball\n'})).toEqual([
    'tarball',
    'tar -xzf ./cardctl-VERSION-linux-x64.tar.gz -C ROOT',
    'ln -sf ROOT/cardctl-VERSION-linux-x64/cardctl ~/.local/bin/cardctl',
    CHECK,
  ])
})

it('makes no link on Windows', () => {
  const at = 'cardctl-0.1.0-win32-x64'
  expect(commandsFor(at, {[`${at}/distribution`]: 'tarball\n'}, 'win32')).toEqual([
    'tarball',
    'tar -xf ./cardctl-VERSION-win32-x64.zip -C ROOT',
    CHECK,
  ])
})

it('runs dpkg, for the Debian package', () => {
  expect(commandsFor('usr/lib/cardctl', {'usr/lib/cardctl/distribution': 'deb\n'})).toEqual([
    'deb',
    'sudo dpkg -i ./cardctl_VERSION_amd64.deb',
    CHECK,
  ])
})

it.each([
  ['a copy of the files', 'copy', {}],
  ['another package manager', 'node_modules/.pnpm/cardctl@0.1.0/node_modules/cardctl', {}],
  ['a distribution of a later version', 'copy', {'copy/distribution': 'flatpak\n'}],
])('guesses nothing for %s', (_, at, files) => {
  expect(commandsFor(at, files)).toEqual(['unknown', CHECK])
})

it('shows each command in one line, however narrow the terminal, and leaves nothing in the home', async () => {
  const home = await openHome()
  try {
    const {code, stdout} = await home.run(['upgrade'], {columns: 40})
    expect(code).toBe(0)
    expect(stdout).toContain(', a clone')
    expect(stdout).toContain(`\n   cd ${process.cwd()}\n`)
    expect(stdout).toMatch(/\n {3}git pull --ff-only\n[\s\S]*\n {3}npm ci\n/)
    expect(await home.json(['upgrade'])).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      kind: 'clone',
      folder: process.cwd(),
      steps: expect.arrayContaining([{about: 'Get the newer sources.', command: 'git pull --ff-only'}]),
    })
    expect(readdirSync(home.folder)).toEqual([])
  } finally {
    await home.remove()
  }
})
