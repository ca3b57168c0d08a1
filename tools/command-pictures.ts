// Draws docs/images/use-*.svg, one for each kind of reader, from runs on the sandbox: `node tools/command-pictures.ts`.
import {writeFileSync} from 'node:fs'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {text} from 'node:stream/consumers'
import {stripVTControlCharacters} from 'node:util'
import {openHome} from '../test/helpers/cli.ts'

const COLUMNS = 80
const [CHARACTER, LINE, MARGIN] = [8.4, 20, 16]

/** Command lines by the name of their picture. URL is that of an endpoint. */
const USES: Readonly<Record<string, readonly string[]>> = {
  support: ['find 900000000003001'],
  scripts: ['cards list --customer 1004 --columns id,status,accountId -o csv', 'cards get 9999 -q'],
  developers: ['webhook trigger auth --to URL --scenario fuel', 'webhook test smoke --to URL --only coffee*'],
}

/** As a terminal breaks lines that have no styles in what is too long. */
function broken(line: string): readonly string[] {
  const plain = stripVTControlCharacters(line)
  if (plain.length <= COLUMNS) return [line]
  const at = line.lastIndexOf(' ', COLUMNS + line.length - plain.length)
  return [line.slice(0, at), ...broken(line.slice(at + 1))]
}

/** The pictures by their paths. */
async function commandPictures(): Promise<ReadonlyMap<string, string>> {
  const home = await openHome()
  const endpoint = createServer(answer)
  await new Promise<void>(listening => endpoint.listen(0, '127.0.0.1', listening))
  const {port} = endpoint.address() as AddressInfo
  try {
    const pictures = new Map<string, string>()
    for (const [name, commands] of Object.entries(USES)) {
      const lines: string[] = []
      for (const command of commands) {
        const line = command.replace('URL', `http://127.0.0.1:${port}`)
        const env = {NO_COLOR: '', FORCE_COLOR: '1', TZ: 'UTC', LANG: 'C.UTF-8'}
        const {stdout, stderr} = await home.run(line.split(' '), {columns: COLUMNS, env, now: () => NOON})
        const printed = `${stdout}${stderr}`.replaceAll(`127.0.0.1:${port}`, SHOWN).trimEnd().split('\n')
        lines.push(`${PROMPT}cardctl ${command.replace('URL', `http://${SHOWN}`)}`, ...printed, '')
      }
      pictures.set(`docs/images/use-${name}.svg`, picture(lines.slice(0, -1).flatMap(broken)))
    }
    return pictures
  } finally {
    endpoint.close()
    await home.remove()
  }
}

/** The endpoint of a developer who approves at most EUR 80 for fuel. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request)
  const isFuel = body.includes('Fuel pump')
  const decision = isFuel
    ? {authResponseCode: {code: '10'}, partialApprovalAmount: {amount: 80, currency: 'EUR'}}
    : {authResponseCode: {code: '00'}}
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({transactionData: decision}))
}

/** The picture is the same whichever port is free. */
const SHOWN = '127.0.0.1:3000'
const PROMPT = '$ '
const NOON = Date.UTC(2026, 5, 15, 12)

function picture(lines: readonly string[]): string {
  const width = Math.ceil(COLUMNS * CHARACTER + 2 * MARGIN)
  const height = lines.length * LINE + 2 * MARGIN
  const texts = lines.map((line, at) => {
    const y = MARGIN + LINE * (at + 0.7)
    return `<text x="${MARGIN}" y="${y}" xml:space="preserve">${line.startsWith(PROMPT) ? `<tspan fill="#9fd6ff">${escaped(line)}</tspan>` : spans(line)}</text>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="ui-monospace, 'JetBrains Mono', Menlo, Consolas, monospace" font-size="14" fill="#e6e6e6">`,
    `<title>${escaped(lines[0] ?? '')}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#1b1f24"/>`,
    ...texts,
    '</svg>',
    '',
  ].join('\n')
}

const COLOURS: Readonly<Record<string, string>> = {
  '31': '#ff8b80',
  '32': '#7ee2a0',
  '33': '#f2cc60',
  '34': '#8db8ff',
  '35': '#d6a4ff',
  '36': '#76e0e6',
  '90': '#9aa4af',
}

// A literal may not have the escape itself.
const ESCAPE = new RegExp(`(${'\u001b'}\\[[\\d;]*m)`)

/** The escapes of a terminal as attributes: colours, bold, dim. */
function spans(line: string): string {
  let colour = ''
  let isBold = false
  let isDim = false
  return line
    .split(ESCAPE)
    .map(part => {
      const codes = part.startsWith('\u001b') ? part.slice(2, -1) : undefined
      for (const code of codes?.split(';') ?? []) {
        if (code === '1') isBold = true
        else if (code === '2') isDim = true
        else if (code === '22') isBold = isDim = false
        else if (code === '39') colour = ''
        else if (code === '0' || code === '') [colour, isBold, isDim] = ['', false, false]
        else colour = COLOURS[code] ?? colour
      }
      if (codes !== undefined || part === '') return ''
      const fill = colour || (isDim ? '#9aa4af' : '')
      const look = `${fill === '' ? '' : ` fill="${fill}"`}${isBold ? ' font-weight="bold"' : ''}`
      return look === '' ? escaped(part) : `<tspan${look}>${escaped(part)}</tspan>`
    })
    .join('')
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

for (const [path, svg] of await commandPictures()) writeFileSync(path, svg)
