// What a script gets that closes a stream instead of redirecting it: Node opens /dev/null in its place.
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import process from 'node:process'
import {setTimeout as delay} from 'node:timers/promises'
import {describe, expect, it} from 'vitest'
import {BINARY, bash, emptyHome, plainEnv, quoted, run} from '../helpers/binary.ts'
import {freePort} from '../helpers/free-port.ts'
import {part} from '../helpers/whole.ts'

const SANDBOX = {CARDCTL_PROFILE: 'sandbox'}
const READ = 'cards get 3001 -o json'
const WRITE = 'accounts patch 2001 --type CREDIT --credit-limit 5000 -o json'

describe.runIf(process.platform === 'linux')('a closed stdout', () => {
  it.each([
    READ,
    'cards list --customer 1003 -o ndjson',
    'cards get 3001',
    '--version',
    '--help',
    'help cards',
  ])('is exit code 3 for %s', async line => {
    const {code, stderr} = await bash(await emptyHome(), `cardctl ${line} >&-`, SANDBOX)
    expect({code, stderr}).toMatchObject({code: 3, stderr: expect.stringContaining('it is closed')})
  })

  it.each(
    part(
      [
        ['the command alone', `${READ} >&-; exit $?`],
        ['all that follows', `exec >&-; NODE ${READ}; exit $?`],
        ['a group', `{ NODE ${READ}; } >&-; exit $?`],
        ['another shell', `sh -c '"$0" "$@"; exit $?' NODE ${READ} >&-; exit $?`],
      ],
      4,
      1,
    ),
  )('is found where a shell closed it for %s', async (_, line) => {
    const node = `${quoted(process.execPath)} ${quoted(BINARY)}`
    const script = line.includes('NODE') ? line.replace('NODE', node) : `${node} ${line}`
    const child = spawn('sh', ['-c', script], {env: plainEnv(await emptyHome(), SANDBOX)})
    expect((await once(child, 'exit'))[0]).toBe(3)
  })

  it('leaves a write done, and the journal whole', async () => {
    const home = await emptyHome()
    const {code, stderr} = await bash(home, `cardctl ${WRITE} >&-`, SANDBOX)
    const line = stderr.split('\n').find(text => text.startsWith('{"error"')) ?? '{}'
    expect({code, ...JSON.parse(line)}).toMatchObject({
      code: 3,
      error: {code: 'OUTPUT_UNWRITABLE', effect: 'done'},
    })
    const {stdout} = await run(home, ['requests', 'list', '-o', 'json'])
    expect(JSON.parse(stdout)).toMatchObject([{state: 'done'}])
  })

  it('leaves the files of cardctl whole if all streams are closed', async () => {
    const home = await emptyHome()
    const {code} = await bash(home, `cardctl ${WRITE} <&- >&- 2>&-`, SANDBOX)
    expect(code).toBe(3)
    const {stdout} = await run(home, ['requests', 'list', '-o', 'json'])
    expect(JSON.parse(stdout)).toMatchObject([{state: 'done'}])
  })

  it('is no reason for a server to end', async () => {
    const port = await freePort()
    const home = await emptyHome()
    const line = `${quoted(process.execPath)} ${quoted(BINARY)} sandbox serve --port ${port} >&- & wait $!`
    const shell = spawn('sh', ['-c', line], {
      env: plainEnv(home),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const end = once(shell, 'exit')
    try {
      // Each request is an event that would be printed.
      for (let answered = 0; answered < 3; ) {
        expect(shell.exitCode).toBeNull()
        const response = await fetch(`http://127.0.0.1:${port}/v4/3001`).catch(() => undefined)
        if (response === undefined) await delay(50)
        else answered++
      }
      expect(shell.exitCode).toBeNull()
    } finally {
      process.kill(-(shell.pid ?? 0), 'SIGTERM')
      await end
    }
  })
})

describe('what is no closed stdout', () => {
  it.each(
    part([`${READ} >/dev/null`, `${READ} >/dev/null 2>&1`, `${READ} | head -c 1 >/dev/null; exit 0`], 3),
  )('is a success: %s', async line => {
    expect((await bash(await emptyHome(), `cardctl ${line}`, SANDBOX)).code).toBe(0)
  })

  it('is the /dev/null of a program that wants no output', async () => {
    const home = await emptyHome()
    const argv = [BINARY, ...READ.split(' ')]
    const child = spawn(process.execPath, argv, {
      env: plainEnv(home, SANDBOX),
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    child.stdin?.end()
    expect((await once(child, 'exit'))[0]).toBe(0)
    // The same, passed on by a shell.
    const script = `${quoted(process.execPath)} ${quoted(BINARY)} ${READ}; exit $?`
    const shell = spawn('sh', ['-c', script], {env: plainEnv(home, SANDBOX), stdio: 'ignore'})
    expect((await once(shell, 'exit'))[0]).toBe(0)
  })
})

describe('a closed stderr or stdin', () => {
  it.each([
    [`${READ} 2>&-`, 0],
    ['cards get 999999 -o json 2>&-', 5],
    ['cards nonsense 2>&-', 2],
    [`${READ} <&-`, 0],
    [`${WRITE} <&- 2>&-`, 0],
  ])('changes no exit code: %s', async (line, code) => {
    const ended = await bash(await emptyHome(), `cardctl ${line}`, SANDBOX)
    expect(ended.code).toBe(code)
    if (code === 0) expect(JSON.parse(ended.stdout)).toBeTypeOf('object')
  })
})
