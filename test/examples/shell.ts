// A real `sh`, in which `cardctl` is a program that the process of the test carries out.
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {chmod, mkdir, open, stat, writeFile} from 'node:fs/promises'
import {createServer, type Socket} from 'node:net'
import {join} from 'node:path'
import process from 'node:process'
import {createInterface} from 'node:readline'
import {PassThrough} from 'node:stream'
import {fileURLToPath} from 'node:url'
import type {Ended, Terminal} from './terminal.ts'

const CLIENT = fileURLToPath(new URL('cardctl-client.mjs', import.meta.url))

/** Runs line after line in the same shell, so that variables stay. */
const LOOP = 'while IFS= read -r line <&3; do eval "$line"; echo $? >&4; done'

export interface Shell {
  run(line: string): Promise<readonly Ended[]>
  close(): Promise<void>
}

interface Call {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly terminal: readonly [boolean, boolean, boolean]
}

export async function openShell(terminal: Terminal): Promise<Shell> {
  const {folder, env} = terminal
  const programs = {cardctl: `exec '${process.execPath}' '${CLIENT}' "$@"`, npx: 'exec "$@"'}
  await mkdir(join(folder, 'bin'))
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`)
    await chmod(join(folder, 'bin', name), 0o755)
  }
  // What the shell would read from and write to the screen: a file that the client recognises.
  const screen = join(folder, 'screen')
  await writeFile(screen, '')
  const {ino} = await stat(screen)
  let ended: Ended[] = []
  // A program without a keyboard has read all of its input at once, and waits for the end of the call.
  const server = createServer({allowHalfOpen: true}, socket => {
    void serve(terminal, socket).then(one => ended.push(one))
  })
  const path = join(folder, 'socket')
  server.listen(path)
  await once(server, 'listening')
  await using input = await open(screen, 'r')
  await using output = await open(screen, 'a')
  const child = spawn('sh', ['-c', LOOP], {
    env: {...env, EXAMPLE_SOCKET: path, EXAMPLE_TERMINAL: String(ino)},
    stdio: [input.fd, output.fd, output.fd, 'pipe', 'pipe'],
  })
  const [, , , lines, codes] = child.stdio
  if (lines === null || lines === undefined || !('write' in lines) || codes === null || codes === undefined)
    throw new Error('the shell has no pipes')
  const results = createInterface({input: codes as NodeJS.ReadableStream})
  return {
    run: async line => {
      ended = []
      const over = once(results, 'line')
      lines.write(`${line}\n`)
      const [code] = (await over) as [string]
      const calls = [...ended]
      // Other programs may fail too.
      if (calls.every(call => call.code === 0) && code !== '0')
        calls.push({argv: ['sh', '-c', line], code: Number(code), stdout: '', stderr: '', screen: ''})
      return calls
    },
    close: async () => {
      lines.end()
      if (child.exitCode === null) await once(child, 'exit')
      server.close()
    },
  }
}

/** Carries out the call of one client. */
async function serve(terminal: Terminal, socket: Socket): Promise<Ended> {
  const input = new PassThrough()
  const call = await new Promise<Call>(resolve => {
    let head = Buffer.alloc(0)
    let isKnown = false
    socket.on('data', chunk => {
      if (isKnown) return void input.write(chunk)
      head = Buffer.concat([head, chunk as Buffer])
      const end = head.indexOf('\n')
      if (end === -1) return
      isKnown = true
      if (end + 1 < head.length) input.write(head.subarray(end + 1))
      resolve(JSON.parse(head.subarray(0, end).toString()) as Call)
    })
    socket.on('end', () => input.end())
  })
  socket.on('error', () => undefined)
  const say = (message: object): void => void socket.write(`${JSON.stringify(message)}\n`)
  const [isKeyboard, ...screen] = call.terminal
  const done = await terminal.call(call.argv, {
    env: call.env,
    input: isKeyboard ? undefined : input,
    screen,
    written: (fd, chunk) => say({fd, data: chunk.toString('base64')}),
  })
  say({code: done.code})
  socket.end()
  return done
}
