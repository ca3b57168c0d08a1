// A server that a script starts in the background, as docs/webhooks.md shows it.
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {delimiter, dirname} from 'node:path'
import process from 'node:process'
import {expect, test} from 'vitest'
import {blocksOf, pages, ROOT} from '../docs/pages.ts'
import {emptyHome, plainEnv} from '../helpers/binary.ts'
import {freePort} from '../helpers/free-port.ts'
import {olderNode} from '../helpers/older-node.ts'

const page = pages().find(({path}) => path === 'docs/webhooks.md') ?? {path: '', text: ''}
const script = blocksOf(page).find(({language}) => language === 'bash')?.code ?? ''

/** An older Node.js hands over to the runtime of the clone: then the signal has to go one process further. */
const NODES = {'this Node.js': process.execPath, 'an older Node.js': olderNode()}

test.for(Object.entries(NODES))(
  'the signal of the script ends the server, with %s',
  async ([, node], {skip}) => {
    if (node === undefined) return skip('there is none')
    const port = await freePort()
    const lines = [
      ...script.replaceAll('8484', `${port}`).trim().split('\n'),
      'wait $server; echo "ended with $?"',
    ]
    expect(lines.length).toBeGreaterThan(4)
    const child = spawn('bash', ['-c', lines.join('\n')], {
      cwd: ROOT,
      env: plainEnv(await emptyHome(), {PATH: `${dirname(node)}${delimiter}${process.env.PATH}`}),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    await once(child, 'close')
    expect(stdout).toContain('10 steps: 10 passed')
    expect(stdout).toContain('ended with 143')
    await expect(fetch(`http://127.0.0.1:${port}/warm-up`, {method: 'POST'})).rejects.toThrow()
  },
)
