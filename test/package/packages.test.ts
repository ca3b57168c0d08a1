// The packages that need no Node.js: used in a root that has nothing but a shell and the system's libraries. They are
// installed as docs/installation.md shows.
import {execFileSync, spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {createInterface} from 'node:readline'
import {setTimeout as delay} from 'node:timers/promises'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import pjson from '../../package.json' with {type: 'json'}
import {plainEnv, until} from '../helpers/binary.ts'
import {isWhole, part} from '../helpers/whole.ts'
import {canMakeMuslRoot, canMakeRoot, MUSL_LOADER, makeEmptyRoot, makeMuslRoot, runIn} from './empty-root.ts'

const {version} = pjson
const isHere = process.platform === 'linux' && process.arch === 'x64' && existsSync('/usr/bin/dpkg-deb')
const FOLDER = `cardctl-${version}-linux-x64`
let out = ''
/** The names in the tarball, one a line. */
let packed = ''

/** Commands that touch a packed part each: the program, a package, a view, SQLite, schemas, suites, JMESPath. */
const COMMANDS: readonly (readonly [line: string, expected: RegExp])[] = [
  ['--version', new RegExp(`^cardctl/${version} linux-x64 node-${process.version}\\n$`)],
  ['cards get 3001', /Aino Virtanen/],
  ['accounts patch 2001 --type credit -F creditLimit=5000', /./],
  ['requests list -o csv', /accounts\.patchCredit/],
  ['cards list --customer 1003 --query [].id -o yaml', /- "?3\d+/],
  ['webhook rules check --schema', /webhook-rules\.schema\.json\n$/],
  ['webhook test --list', /./],
  ['doctor', /Runtime/],
  ['help exit-codes', /./],
  ['upgrade', /signature/],
]

/** `PATH: size` of everything but what dpkg itself keeps. */
const filesOf = (root: string): readonly string[] =>
  globSync('**/*', {cwd: root})
    .filter(path => !path.startsWith('var/lib/dpkg') && !path.startsWith('home'))
    .sort()

describe.skipIf(!isHere)('on Linux x64', () => {
  beforeAll(() => {
    out = mkdtempSync(join(tmpdir(), 'cardctl-packages-'))
    execFileSync('node', ['tools/package.ts', '--fast', '--out', out])
    packed = execFileSync('tar', ['-xzvf', tarball(), '-C', out], {encoding: 'utf8'})
  }, 120_000)
  afterAll(() => rmSync(out, {recursive: true, force: true}))

  const tarball = () => join(out, `${FOLDER}.tar.gz`)
  const guide = () => readFileSync('docs/installation.md', 'utf8')
  const deb = () => join(out, `cardctl_${version}_amd64.deb`)

  test.skipIf(!canMakeRoot)('the folder runs in an empty root, also through links', () => {
    const root = makeEmptyRoot()
    try {
      execFileSync('cp', ['-al', join(out, FOLDER), root])
      symlinkSync(`../${FOLDER}/cardctl`, join(root, 'bin/relative'))
      symlinkSync('/bin/relative', join(root, 'bin/cardctl'))
      expectUsable(root, 'cardctl')
      expect(runIn(root, `/${FOLDER}/cardctl`, '--version').code).toBe(0)
      expect(runIn(root, '/bin/cardctl', 'cards', 'get', '9999').code).toBe(5)
      // As a user without a name.
      const completed = runIn(root, '/bin/sh', '-c', "printf 'cards\\0ge\\0' | cardctl __complete")
      expect(completed).toMatchObject({code: 0, stdout: expect.stringContaining('get')})
      expect(runIn(root, 'cardctl', 'upgrade').stdout).toContain(
        'tar -xzf ./cardctl-VERSION-linux-x64.tar.gz -C /\n',
      )
    } finally {
      rmSync(root, {recursive: true, force: true})
    }
  })

  const launcher = `/${FOLDER}/cardctl`
  const refusal = (fault: string) => ({
    code: 3,
    stdout: '',
    stderr: `cardctl needs glibc 2.28 or later, and this system has ${fault}: install cardctl by npm, with a Node.js that is built for this system.\n`,
  })

  // No release of Debian with one is on its mirrors.
  test.skipIf(!canMakeRoot)('the folder says what to do where the files of glibc are of an old one', () => {
    const root = makeEmptyRoot()
    try {
      execFileSync('cp', ['-al', join(out, FOLDER), root])
      writeFileSync(join(root, 'lib64/libc-2.17.so'), '')
      expect(runIn(root, launcher, '--version')).toEqual(refusal('2.17'))
    } finally {
      rmSync(root, {recursive: true, force: true})
    }
  })

  test.skipIf(!canMakeRoot)('the folder says what to install where a library is missing', () => {
    const root = makeEmptyRoot()
    try {
      execFileSync('cp', ['-al', join(out, FOLDER), root])
      const [library = ''] = globSync('{lib,usr/lib}/**/libatomic.so.1', {cwd: root})
      // In another folder, it is the loader's to find.
      renameSync(join(root, library), join(root, 'home/libatomic.so.1'))
      const path = `LD_LIBRARY_PATH=/home ${launcher} --version`
      expect(runIn(root, '/bin/sh', '-c', path)).toMatchObject({code: 0, stderr: ''})
      expect(runIn(root, launcher, '--version')).toEqual({
        code: 3,
        stdout: '',
        stderr: expect.stringContaining('needs libatomic.so.1, and this system lacks it: install libatomic'),
      })
    } finally {
      rmSync(root, {recursive: true, force: true})
    }
  })

  test.skipIf(!canMakeMuslRoot)('the folder says what to do in a system of musl', () => {
    const root = makeMuslRoot()
    try {
      execFileSync('cp', ['-al', join(out, FOLDER), root])
      expect(runIn(root, MUSL_LOADER).stderr).toMatch(/^musl libc/)
      // Neither starts the runtime, nor says why in words for users.
      expect(runIn(root, '/bin/sh', '-c', `/${FOLDER}/runtime/node --version`).stderr).toContain('not found')
      expect(runIn(root, MUSL_LOADER, `/${FOLDER}/runtime/node`, '--version').code).not.toBe(0)
      expect(runIn(root, launcher, '--version')).toEqual(refusal('another C library, such as musl'))
    } finally {
      rmSync(root, {recursive: true, force: true})
    }
  })

  test('is installed by the commands of the page', () => {
    const home = mkdtempSync(join(tmpdir(), 'cardctl-home-'))
    try {
      const [, block = ''] = /## A folder with its own runtime\n+```sh\n([^`]+)```/.exec(guide()) ?? []
      expect(block.split('\n').length).toBeGreaterThan(3)
      const env = {...plainEnv(home), PATH: `${join(home, '.local/bin')}:${process.env.PATH ?? ''}`}
      const {status, stdout, stderr} = spawnSync('sh', ['-ec', block], {cwd: out, env, encoding: 'utf8'})
      expect({status, stderr, stdout}).toEqual({
        status: 0,
        stderr: '',
        stdout: `cardctl/${version} linux-x64 node-${process.version}\n`,
      })
    } finally {
      rmSync(home, {recursive: true, force: true})
    }
  })

  // bash and dash differ in what they tell the program about whoever started it.
  test.each(part(['dash', 'bash'], 2))(
    'a signal to the launcher reaches the program, and nohup too, with %s',
    async shell => {
      const folder = mkdtempSync(join(tmpdir(), 'cardctl-launcher-'))
      try {
        const launcher = join(out, FOLDER, 'cardctl')
        const started = async (...command: readonly string[]) => {
          const line = `${command.join(' ')} ${launcher} webhook serve --port 0 --no-record -o ndjson </dev/null & echo $!; wait $!; echo $?`
          const child = spawn('bash', ['-c', line], {
            env: plainEnv(folder),
            stdio: ['ignore', 'pipe', 'ignore'],
          })
          const output: string[] = []
          createInterface({input: child.stdout}).on('line', text => output.push(text))
          await until(() => output.some(text => text.includes('"ready"')))
          const pid = Number(output.find(text => /^\d+$/.test(text)))
          return {
            send: (signal: NodeJS.Signals) => process.kill(pid, signal),
            output,
            closed: once(child, 'close'),
          }
        }
        for (const [command, signals, code] of [
          [[shell], ['SIGTERM'], '143'],
          [[shell], ['SIGHUP'], '129'],
          [['nohup', shell], ['SIGHUP', 'SIGTERM'], '143'],
        ] as const) {
          const {send, output, closed} = await started(...command)
          for (const signal of signals) {
            send(signal)
            // Longer than a server lasts that has got SIGHUP.
            if (signal !== signals.at(-1)) await delay(2000)
          }
          await closed
          expect(output.at(-1), `${command.join(' ')}, ${signals}`).toBe(code)
        }
      } finally {
        rmSync(folder, {recursive: true, force: true})
      }
    },
  )

  test.runIf(isWhole && canMakeRoot)(
    'dpkg installs it in an empty root, and removes it without a trace',
    () => {
      const root = makeEmptyRoot()
      const dpkg = (...argv: string[]) => {
        const {status, stderr} = spawnSync('dpkg', [`--root=${root}`, ...argv], {encoding: 'utf8'})
        expect(status, stderr).toBe(0)
      }
      try {
        const before = filesOf(root)
        dpkg('--install', deb())
        for (const path of [
          'usr/bin/cardctl',
          'usr/share/man/man1/cardctl-cards.1.gz',
          'usr/share/bash-completion/completions/cardctl',
          'usr/share/zsh/vendor-completions/_cardctl',
          'usr/share/fish/vendor_completions.d/cardctl.fish',
          'usr/share/doc/cardctl/docs/installation.md',
        ])
          expect(existsSync(join(root, path)), path).toBe(true)
        const licences = readFileSync(join(root, 'usr/share/doc/cardctl/copyright'), 'utf8')
        for (const name of ['cardctl', 'Node.js', 'undici', 'jmespath', 'keyring'])
          expect(licences).toContain(name)
        expect(licences).not.toContain('\r')
        expectUsable(root, 'cardctl')
        expect(runIn(root, 'cardctl', 'upgrade').stdout).toContain(
          'sudo dpkg -i ./cardctl_VERSION_amd64.deb\n',
        )
        dpkg('--purge', 'cardctl')
        expect(filesOf(root)).toEqual(before)
      } finally {
        rmSync(root, {recursive: true, force: true})
      }
    },
  )

  test('only root may change what is installed', () => {
    const listed = execFileSync('dpkg-deb', ['--contents', deb()], {encoding: 'utf8'}).trim().split('\n')
    expect(listed.length).toBeGreaterThan(300)
    expect(listed.filter(line => !/^(?:[d-][rwx-]{4}-[rx-]{2}-[rx-]|l).* root\/root /.test(line))).toEqual([])
    const executable = listed.filter(line => /^-rwx/.test(line)).map(line => line.replace(/.* \./, ''))
    expect(executable.sort()).toEqual(['/usr/bin/cardctl', '/usr/lib/cardctl/runtime/node'])
  })

  test('the tarball says where it comes from, and has the licences', () => {
    for (const name of ['distribution', 'LICENSE', 'THIRD-PARTY-NOTICES.md', 'runtime/LICENSE'])
      expect(packed).toContain(`${FOLDER}/${name}\n`)
    expect(statSync(tarball()).size).toBeLessThan(75_000_000)
  })

  function expectUsable(root: string, program: string): void {
    for (const [line, expected] of part(COMMANDS, 3, 1)) {
      const {code, stdout, stderr} = runIn(root, program, ...line.split(' '))
      expect(code, `${line}\n${stderr}`).toBe(0)
      expect(stdout, line).toMatch(expected)
    }
  }
})
