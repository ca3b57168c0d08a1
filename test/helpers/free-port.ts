import {once} from 'node:events'
import {createServer} from 'node:net'

/** Below the ports that systems give to whoever asks for any, and above those of known services. */
const [FIRST, COUNT] = [15_000, 15_000]

/**
 * A free port of this machine, for a server that takes its port as an option and may stop and start again: no other program
 * gets it meanwhile by asking for any port.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT)
    const server = createServer()
    const opened = once(server, 'listening').then(
      () => true,
      () => false,
    )
    server.listen(port, '127.0.0.1')
    if (!(await opened)) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
