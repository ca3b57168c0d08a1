// The files that operators paste: each is read as the program reads it that it is for, and the nightly job is run as cron would.
import {spawnSync} from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {gunzipSync} from 'node:zlib'
import {expect, onTestFinished, test} from 'vitest'
import {parse, parseAllDocuments} from 'yaml'
import {TSC} from '../../tools/run.ts'
import {ROOT} from '../docs/pages.ts'
import {BINARY, bash, emptyHome} from '../helpers/binary.ts'
import {openHome} from '../helpers/cli.ts'
import {openService} from '../helpers/service.ts'

const FOLDER = `${ROOT}examples/operations/`
const text = (name: string): string => readFileSync(FOLDER + name, 'utf8')

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cardctl-operations-'))
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}))
  return folder
}

const variables = (env: object): readonly string[] =>
  Object.entries(env).map(([name, value]) => `${name}=${value}`)

/** The lines of a shell that a file of YAML runs. */
const shellLines = (name: string): readonly string[] =>
  [...text(name).matchAll(/^\s*- (?:run: )?((?:npm|sh) .*)$/gm)].map(([, line = '']) => line)

test('the page names every file', () => {
  const page = readFileSync(`${ROOT}docs/nightly-job.md`, 'utf8')
  for (const name of readdirSync(FOLDER)) expect(page).toContain(`(../examples/operations/${name})`)
})

test('the line of the crontab runs in the environment that cron gives it, and twice sends once', async () => {
  const lines = text('crontab')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
  const settings = lines.filter(line => /^[A-Z_]+=/.test(line))
  const [job = '', ...others] = lines.filter(line => !settings.includes(line))
  expect(others).toEqual([])
  const [, times = '', command = ''] = /^((?:\S+ +){5})(.*)$/.exec(job) ?? []
  for (const field of times.trim().split(/ +/)) expect(field).toMatch(/^(?:\*|\d+(?:-\d+)?)$/)
  // It ends a line there, unless it is escaped.
  expect(command).not.toMatch(/(?<!\\)%/)
  const home = await emptyHome()
  cpSync(`${ROOT}examples/nightly.sh`, join(home, 'nightly.sh'))
  writeFileSync(join(home, 'limits.csv'), 'id,creditLimit\n2001,6500\n')
  mkdirSync(join(home, 'bin'))
  writeFileSync(join(home, 'bin/cardctl'), `#!/bin/sh\nexec '${process.execPath}' '${BINARY}' "$@"\n`, {
    mode: 0o755,
  })
  const exported = settings.filter(line => !line.startsWith('PATH=')).map(line => `export ${line}`)
  const once = command.replace('/srv/limits', '.')
  const {code} = await bash(home, ['export PATH="$PWD/bin:$PATH"', ...exported, once, once].join('\n'))
  expect(code).toBe(0)
  const log = readFileSync(join(home, 'nightly.log'), 'utf8')
  expect(log).toContain('Nothing was sent: all rows were done before')
  for (const line of log.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('level')
})

const systemd = spawnSync('systemd-analyze', ['--version'])
test.skipIf(systemd.error !== undefined)('systemd finds nothing wrong with the units', () => {
  const folder = scratch()
  const names = ['cardctl-nightly.service', 'cardctl-nightly.timer']
  for (const name of names) writeFileSync(join(folder, name), text(name))
  const verify = () =>
    spawnSync('systemd-analyze', ['verify', ...names.map(name => join(folder, name))], {encoding: 'utf8'})
      .stderr.split('\n')
      .filter(line => line.includes(folder))
  expect(verify()).toEqual([])
  // It does find something.
  writeFileSync(
    join(folder, 'cardctl-nightly.timer'),
    text('cardctl-nightly.timer').replace('01..05', '1to5'),
  )
  expect(verify().join()).toContain('cardctl-nightly.timer')
})

const TYPES: Readonly<Record<string, string>> = {
  PersistentVolumeClaim: 'core/v1',
  Service: 'core/v1',
  CronJob: 'batch/v1',
  Deployment: 'apps/v1',
}

/** What the compiler says of objects of Kubernetes, whose types refuse fields that there are not. */
function problemsOf(objects: readonly {readonly kind: string}[]): string {
  // Where the compiler finds the packages of the project.
  const folder = mkdtempSync(`${ROOT}node_modules/.cache/operations-`)
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}))
  const code = objects.map(
    (made, at) =>
      `import type {${made.kind} as T${at}} from 'kubernetes-types/${TYPES[made.kind]}'\nexport const o${at}: T${at} = ${JSON.stringify(made)}\n`,
  )
  const file = join(folder, 'objects.ts')
  writeFileSync(file, code.join(''))
  const options = '--ignoreConfig --noEmit --strict --skipLibCheck --module esnext --moduleResolution bundler'
  return spawnSync(process.execPath, [join(ROOT, TSC), ...options.split(' '), file], {encoding: 'utf8'})
    .stdout
}

test('Kubernetes knows every field of its objects', () => {
  const objects = ['cronjob.yaml', 'sandbox-deployment.yaml'].flatMap(name =>
    parseAllDocuments(text(name)).map(document => document.toJS() as {readonly kind: string}),
  )
  expect(objects).toHaveLength(4)
  expect(problemsOf(objects)).toBe('')
  expect(problemsOf(objects.map((made, at) => (at === 0 ? {...made, speck: 1} : made)))).toContain('speck')
})

test.each([
  ['github-actions.yml', ['jobs', 'limits', 'env']],
  ['gitlab-ci.yml', ['limits', 'variables']],
])('%s runs the job with a journal that stays', (name, way) => {
  const whole: unknown = parse(text(name))
  const env = way.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], whole)
  expect(env).toMatchObject({CARDCTL_DATA_DIR: expect.stringContaining('.cardctl')})
  expect(shellLines(name)).toEqual(['npm install --global ./cardctl-0.1.0.tgz', 'sh nightly.sh limits.csv'])
})

const SERVICE = readFileSync(`${FOLDER}cardctl-nightly.service`, 'utf8')
const CRONJOB = parseAllDocuments(text('cronjob.yaml'))[1]?.toJS()

test.each([
  [
    'cardctl-nightly.service',
    [...SERVICE.matchAll(/^Environment=(.*)$/gm)].flatMap(([, pairs = '']) => pairs.split(' ')),
  ],
  ['github-actions.yml', variables(parse(text('github-actions.yml')).jobs.limits.env)],
  [
    'gitlab-ci.yml',
    [...variables(parse(text('gitlab-ci.yml')).limits.variables), 'CARDCTL_TOKEN=of-the-project'],
  ],
  [
    'cronjob.yaml',
    CRONJOB.spec.jobTemplate.spec.template.spec.containers[0].env.map(
      ({name, value}: {name: string; value: string}) => `${name}=${value}`,
    ),
  ],
])('the variables of %s are the whole of a profile', async (_, pairs: readonly string[]) => {
  const home = await openHome()
  onTestFinished(() => home.remove())
  const secret = join(home.folder, 'token')
  writeFileSync(secret, 'a secret', {mode: 0o600})
  const service = await openService()
  onTestFinished(() => service.close())
  const env = Object.fromEntries(
    pairs.map(pair => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at), pair.slice(at + 1)] as const
    }),
  )
  const given = {
    ...env,
    CARDCTL_PROFILE: '',
    HOME: home.folder,
    CARDCTL_DATA_DIR: join(home.folder, 'data'),
    CARDCTL_BASE_URL: service.url,
    ...(env.CARDCTL_SECRET !== undefined && {CARDCTL_SECRET: `file:${secret}`}),
  }
  const change = ['accounts', 'patch', '2001', '--type', 'credit', '--credit-limit', '6000', '--yes']
  const {code, stderr} = await home.run(change, {env: given})
  expect(code, stderr).toBe(0)
  const {headers} = service.requests.find(({method}) => method === 'PATCH') ?? {}
  expect(headers?.authorization).toMatch(/^Bearer ./)
})

test('every setting is one that cardctl knows', () => {
  const known = readFileSync(`${ROOT}docs/commands/settings.md`, 'utf8')
  for (const name of readdirSync(FOLDER))
    for (const [variable] of text(name).matchAll(/\bCARDCTL_[A-Z_]+/g))
      expect(known).toContain(`\`${variable}\``)
})

test('the alerts name metrics that there are', () => {
  const sources = ['metrics', 'tenant-sandbox', 'store/postgres/database-health'].map(name =>
    readFileSync(`${ROOT}src/sandbox/${name}.ts`, 'utf8'),
  )
  const there = sources.join('')
  const {groups} = parse(text('alerts.yaml')) as {
    groups: {rules: {alert: string; expr: string; for: string}[]}[]
  }
  const rules = groups.flatMap(group => group.rules)
  expect(rules.length).toBeGreaterThan(3)
  for (const {expr} of rules)
    for (const [metric] of expr.matchAll(/\bcardctl_\w+/g)) expect(there).toContain(metric)
})

const hasPromtool = spawnSync('promtool', ['--version']).status === 0
test.skipIf(!hasPromtool)('Prometheus fires the alerts in time, and no others', () => {
  const folder = scratch()
  for (const [name, from] of [
    ['alerts.yaml', `${FOLDER}alerts.yaml`],
    ['test.yaml', `${ROOT}test/examples/alerts.promtool.yaml`],
  ] as const)
    copyFileSync(from, join(folder, name))
  const {status, stdout, stderr} = spawnSync('promtool', ['test', 'rules', join(folder, 'test.yaml')], {
    encoding: 'utf8',
  })
  expect({status, told: stdout + stderr}).toEqual({status: 0, told: expect.stringContaining('SUCCESS')})
})

/** The log that logrotate is told of. */
const LOG = /\/srv\/\S+/.exec(text('logrotate.conf'))?.[0] ?? ''

test('the scripts are whole, and logrotate is told of the log of the crontab', () => {
  expect(spawnSync('sh', ['-n', `${FOLDER}backup.sh`]).status).toBe(0)
  expect(text('crontab')).toContain(LOG.replace('/srv/limits/', ''))
})

const LOGROTATE = '/usr/sbin/logrotate'
test.skipIf(!existsSync(LOGROTATE))('logrotate keeps what was logged, and the next run has a log', () => {
  const folder = scratch()
  const log = join(folder, 'nightly.log')
  const file = join(folder, 'logrotate.conf')
  writeFileSync(file, text('logrotate.conf').replace(LOG, log), {mode: 0o644})
  const rotate = () =>
    spawnSync(LOGROTATE, ['--force', '--state', join(folder, 'state'), file], {encoding: 'utf8'})
  for (const night of ['first', 'second']) {
    appendFileSync(log, `${night} night\n`)
    expect(rotate()).toMatchObject({status: 0, stderr: ''})
    expect(statSync(log)).toMatchObject({size: 0, mode: 0o100600})
  }
  expect(readFileSync(`${log}.1`, 'utf8')).toBe('second night\n')
  expect(gunzipSync(readFileSync(`${log}.2.gz`)).toString()).toBe('first night\n')
})
