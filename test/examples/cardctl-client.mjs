// `cardctl` for the shell of a test: hands the call to the process of the test, which carries it out.
import {fstatSync} from 'node:fs'
import {createConnection} from 'node:net'
import process from 'node:process'

const terminal = Number(process.env.EXAMPLE_TERMINAL)
const isTerminal = fd => fstatSync(fd).ino === terminal
const call = {
  argv: process.argv.slice(2),
  env: process.env,
  terminal: [0, 1, 2].map(isTerminal),
}
const socket = createConnection(process.env.EXAMPLE_SOCKET ?? '')
socket.write(`${JSON.stringify(call)}\n`)
if (!isTerminal(0)) process.stdin.pipe(socket)

let text = ''
socket.setEncoding('utf8').on('data', chunk => {
  text += chunk
  const lines = text.split('\n')
  text = lines.pop() ?? ''
  for (const line of lines) {
    const {fd, data, code} = JSON.parse(line)
    if (fd !== undefined) (fd === 1 ? process.stdout : process.stderr).write(Buffer.from(data, 'base64'))
    if (code === undefined) continue
    process.exitCode = code
    process.stdin.unref?.()
    process.stdin.destroy()
    socket.end()
  }
})
process.stdout.on('error', () => socket.destroy())
