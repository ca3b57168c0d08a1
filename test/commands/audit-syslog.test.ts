import {type ChildProcess, spawn, spawnSync} from 'node:child_process'
import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {connect} from 'node:net'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it, test, vi} from 'vitest'
import {syslogLine} from '../../src/commands/audit/shared/syslog-line.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {freePort} from '../helpers/free-port.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const change = (limit: number, ...more: string[]) =>
  home.json(['accounts', 'patch', '2001', '--type', 'credit', '-F', `creditLimit=${limit}`, ...more])

/** RFC 5424, 6: the header, one element of structured data, and the message. */
const FORM =
  /^<(\d{1,3})>1 (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([\x21-\x7e]{1,255}) cardctl - ([\x21-\x7e]{1,32}) \[meta sequenceId="(\d+)"\] (\{[\x20-\x7e]*\})$/

const parsed = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .filter(line => line !== '')
    .map(line => {
      const [, priority, at, , kind, seq, json = ''] = FORM.exec(line) ?? []
      return {priority: Number(priority), at, kind, seq: Number(seq), entry: JSON.parse(json)}
    })

describe('audit export --syslog', () => {
  it('prints a line of RFC 5424 for each entry, and warns about what did not end well', async () => {
    await change(6000, '--note', 'asked for in Zürich')
    await home.run(['accounts', 'patch', '999', '--type', 'credit', '-F', 'creditLimit=1'])
    const lines = parsed((await home.run(['audit', 'export', '--syslog'])).stdout)
    const entries = await home.json<unknown[]>(['audit', 'export'])
    expect(lines.map(({entry}) => entry)).toEqual(entries)
    expect(lines.map(({priority, kind, seq}) => [priority, kind, seq])).toEqual([
      [109, 'write', 1],
      [108, 'write', 2],
    ])
    expect(lines[0]?.at).toBe(lines[0]?.entry.at)
    expect(lines[0]?.entry.note).toBe('asked for in Zürich')
  })

  it('continues after an entry, and ends with nothing new', async () => {
    for (const limit of [6000, 6001, 6002]) await change(limit)
    const {stdout, stderr} = await home.run(['audit', 'export', '--syslog', '--after', '1'])
    expect(parsed(stdout).map(({seq}) => seq)).toEqual([2, 3])
    expect(stderr).not.toContain('not in the trail')
    const {code, stdout: none} = await home.run(['audit', 'export', '--syslog', '--after', '3'])
    expect([code, none]).toEqual([0, ''])
  })

  it('warns about entries that were pruned before they were exported', async () => {
    for (const limit of [6000, 6001]) await change(limit)
    const later = () => Date.now() + 1000 * 86_400_000
    const to = join(home.folder, 'old.ndjson')
    expect(
      (await home.run(['audit', 'prune', '--export', to, '--yes', '--clock-is-right'], {now: later})).code,
    ).toBe(0)
    const {stderr} = await home.run(['audit', 'export', '--syslog', '--after', '1'], {now: later})
    expect(stderr).toContain('Entries 2 to 2 are not in the trail')
  })

  it('refuses a number that the trail does not have yet, because it is another trail', async () => {
    await change(6000)
    const {code, stdout, stderr} = await home.run(['audit', 'export', '--syslog', '--after', '7'])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('ends at entry 1')
  })

  it('a name of a machine that the format does not allow is left out', () => {
    const entry = {seq: 1, at: '2026-01-01T00:00:00.000Z', kind: 'gap'} as const
    expect(syslogLine(entry, 'bü ro')).toMatch(/^<108>1 \S+ bro cardctl - gap /)
    expect(syslogLine(entry, ' ')).toMatch(/Z - cardctl /)
  })
})

const hasDaemon = spawnSync('rsyslogd', ['-v']).status === 0

test.runIf(hasDaemon)(
  'rsyslog takes the lines apart as they were meant',
  async () => {
    await change(6000)
    await change(6001)
    const {stdout} = await home.run(['audit', 'export', '--syslog'])
    const port = await freePort()
    const [config, out] = [join(home.folder, 'rsyslog.conf'), join(home.folder, 'out')]
    writeFileSync(
      config,
      `module(load="imtcp")
input(type="imtcp" address="127.0.0.1" port="${port}")
template(name="t" type="string" string="%pri%|%timereported:::date-rfc3339%|%app-name%|%msgid%|%structured-data%|%msg%\\n")
action(type="omfile" file="${out}" template="t")
`,
    )
    const daemon = spawn('rsyslogd', ['-n', '-f', config, '-i', join(home.folder, 'pid')], {stdio: 'ignore'})
    try {
      await send(port, stdout)
      const taken = await vi.waitFor(
        () => {
          const lines = existsSync(out) ? readFileSync(out, 'utf8').trimEnd().split('\n') : []
          const ours = lines.filter(line => line.includes('|cardctl|'))
          expect(ours).toHaveLength(2)
          return ours
        },
        {timeout: 20_000},
      )
      const sent = parsed(stdout)
      for (const [at, line] of taken.entries()) {
        const [priority, , , kind, data, ...message] = line.split('|')
        expect([priority, kind, data]).toEqual(['109', 'write', `[meta sequenceId="${at + 1}"]`])
        expect(JSON.parse(message.join('|'))).toEqual(sent[at]?.entry)
      }
    } finally {
      await ended(daemon)
    }
  },
  40_000,
)

/** Tries until the daemon listens. */
const send = (port: number, text: string) =>
  vi.waitFor(
    () =>
      new Promise<void>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => socket.end(text, resolve))
        socket.on('error', reject)
      }),
    {timeout: 15_000},
  )

const ended = (child: ChildProcess) =>
  new Promise<void>(resolve => {
    child.on('exit', () => resolve())
    child.kill()
  })
