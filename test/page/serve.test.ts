// `webhook serve --inspect` as a process.
import {expect, test} from 'vitest'
import {emptyHome, start, until} from '../helpers/binary.ts'
import {openHome} from '../helpers/cli.ts'
import {callOf} from '../webhook/calls.ts'
import {proofOf} from '../webhook/page/page-link.ts'

test('the link opens the page, a person answers on it, and an open page does not hold the end', async () => {
  const {child, ended, stdout, stderr} = start(await emptyHome(), [
    ...[
      'webhook',
      'serve',
      '-o',
      'ndjson',
      '--inspect',
      '--ask',
      '--deadline',
      '20s',
      '--path-prefix',
      '/hooks',
    ],
  ])
  const {url, inspect} = await until(() => {
    if (child.exitCode !== null) throw new Error(stderr())
    const [line] = stdout().split('\n')
    return line ? (JSON.parse(line) as {url: string; inspect: string}) : undefined
  })
  const {origin} = new URL(url)
  expect(inspect).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/_inspect\/[\w-]{22}\/#key=[\w-]{43}$/)
  const [page = '', key] = inspect.split('#key=')
  for (const [path, type] of [
    ['', 'text/html; charset=utf-8'],
    ['page.js', 'text/javascript; charset=utf-8'],
    ['page.css', 'text/css; charset=utf-8'],
  ]) {
    expect((await fetch(`${page}${path}`)).headers.get('content-type')).toBe(type)
  }
  const {epoch} = (await (await fetch(`${page}epoch`)).json()) as {epoch: string}
  const proof = {'x-cardctl-inspect': proofOf(origin, {key: key ?? '', epoch})}
  const stream = await fetch(`${page}stream`, {headers: proof})
  let seen = ''
  const read = (async () => {
    for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) seen += chunk
  })()
  const body = JSON.stringify(callOf('chip', 'a'))
  const answer = fetch(`${url}/auth`, {method: 'POST', body})
  const event = await until(() => /"event":"(e_\w+)"/.exec(seen)?.[1])
  const headers = {...proof, origin, 'content-type': 'application/json'}
  const choice = {decline: '62'}
  await fetch(`${page}answer`, {method: 'POST', headers, body: JSON.stringify({event, choice})})
  expect(await (await answer).json()).toEqual({transactionData: {authResponseCode: {code: '62'}}})
  await until(() => seen.includes('answered on the page'))

  child.kill('SIGINT')
  expect((await ended).code).toBe(130)
  await read
})

test('path and key of the page outlive the server, and nobody else may read them', async () => {
  const home = await emptyHome()
  const links: string[] = []
  for (let run = 0; run < 2; run++) {
    const {child, ended, stdout, stderr} = start(home, ['webhook', 'serve', '-o', 'ndjson', '--inspect'])
    const {inspect} = await until(() => {
      if (child.exitCode !== null) throw new Error(stderr())
      const [line] = stdout().split('\n')
      return line ? (JSON.parse(line) as {inspect: string}) : undefined
    })
    links.push(inspect.replace(/:\d+/, ''))
    child.kill('SIGINT')
    await ended
  }
  expect(links[1]).toBe(links[0])
})

test('what no browser here could open is refused', async () => {
  const home = await openHome()
  try {
    for (const flags of [
      ['--client-ca', 'ca.pem', '--tls'],
      ['--host', '192.0.2.1', '--i-know-this-is-exposed'],
    ]) {
      const {code, stderr} = await home.run(['webhook', 'serve', '--inspect', ...flags])
      expect(code, flags.join(' ')).toBe(2)
      expect(stderr).toContain('--inspect')
    }
  } finally {
    await home.remove()
  }
})
