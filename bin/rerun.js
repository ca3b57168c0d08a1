// Runs under any Node that knows ES modules: hands over to the runtime that the package `node` carries.
import {spawn} from 'node:child_process'
import {existsSync} from 'node:fs'
import process from 'node:process'
import {fileURLToPath} from 'node:url'

export function rerun(entry) {
  const runtime = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url))
  if (!existsSync(runtime)) {
    process.stderr.write(
      `cardctl needs Node.js 24.15 or newer; this is ${process.versions.node}. See nodejs.org.\n`,
    )
    process.exitCode = 3
    return
  }
  const child = spawn(runtime, [fileURLToPath(entry), ...process.argv.slice(2)], {stdio: 'inherit'})
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    if (signal) {
      process.removeAllListeners(signal)
      process.kill(process.pid, signal)
    } else {
      process.exitCode = code ?? 1
    }
  })
}
