// The lines that show a failure again are run by a shell: they give the same call, under an id of its own.
import {execFileSync} from 'node:child_process'
import process from 'node:process'
import {expect, test} from 'vitest'
import {signatureHeaders} from '../../../src/network/call-signature.ts'
import {SIGNATURE_PRESETS} from '../../../src/network/signature-defaults.ts'
import {Secret} from '../../../src/sensitive/secret.ts'
import {shellLines} from '../../../src/webhook/certify/shell-lines.ts'

const PLAIN = {hasCertificate: false, hasAuthorities: false}

test('a pasted call keeps its text, and the length of its id', () => {
  const id = '0197a1c4-6f0e-7c3a-9d52-0c1f5f3f7a10'
  const call = {metadata: {id, linkId: `${id}x`}, merchantData: {name: 'it\'s "5 $N"'}}
  const done = {call, at: 0, verdict: {}} as never
  const lines = shellLines([{done, path: '/auth', settings: {}, isAfterRestart: false}], {
    failed: new Map(),
    url: 'http://x',
    forms: PLAIN,
  })
  const shown = lines.join('\n').replace('curl -sS', "printf '%s\\n'")
  const words = execFileSync('bash', ['-c', shown], {encoding: 'utf8'}).split('\n')
  const sent = JSON.parse(words.find(word => word.startsWith('{')) ?? '') as typeof call
  expect(sent.merchantData).toEqual(call.merchantData)
  expect(sent.metadata.id).toHaveLength(36)
  expect(sent.metadata.id).not.toBe(id)
  expect(sent.metadata.linkId).toBe(`${sent.metadata.id}x`)
})

const calls = Array.from(
  {length: 3},
  (_, at) => ({call: {metadata: {id: `c${at}`}}, at: 0, verdict: {}}) as never,
)
const lines = (settings: readonly object[], forms: object = {}) =>
  shellLines(
    settings.map((each, at) => ({
      done: calls[at] as never,
      path: '/auth',
      settings: each,
      isAfterRestart: false,
    })),
    {
      failed: new Map([[calls[1] as never, 'declined']]),
      url: 'http://127.0.0.1:3000',
      forms: {...PLAIN, ...forms},
    },
  )

const EXPECTED = "echo '  ^ expected: declined'"

test('calls at once are one curl, to the last of them, whichever failed', () => {
  const lastByteAfter = Promise.resolve()
  const [first, sent, ...more] = lines([{lastByteAfter}, {lastByteAfter}, {lastByteAfter}])
  expect(first).toBe('N=$(date +%s%N)')
  expect(sent?.match(/--next/g)).toHaveLength(2)
  expect(sent).toContain('-Z --parallel-immediate')
  expect(more).toEqual([EXPECTED])
})

test('what follows a failed call is left out', () => {
  expect(lines([{}, {}, {}])).toHaveLength(4)
  expect(lines([{}, {}, {}]).at(-1)).toBe(EXPECTED)
})

test('a signature is made by openssl as by cardctl', () => {
  for (const form of Object.values(SIGNATURE_PRESETS)) {
    const key = form.keyEncoding === 'text' ? 'made-up key' : 'whsec_bWFkZS11cCBrZXkgb2YgdGhpcyB0ZXN0IG9ubHk='
    const shown = lines([{}, {}, {}], {signature: form}).join('\n')
    const script = shown.replaceAll('curl -sS', "printf '%s\\n'").replaceAll('T=$(date +%s)', 'T=1800000000')
    const words = execFileSync('bash', ['-c', script], {
      encoding: 'utf8',
      env: {...process.env, KEY: key},
    }).split('\n')
    const body = Buffer.from(JSON.stringify({metadata: {id: 'c1'}}))
    const own = signatureHeaders(body, {...form, keys: [new Secret(key)]}, 1_800_000_000_000)
    for (const [name, value] of Object.entries(own)) expect(words).toContain(`${name}: ${value}`)
  }
})

test('dropped connections and pieces are written by a socket, and nothing secret is in a line', () => {
  const shown = lines([{drop: 'before the answer'}, {transport: 'byte by byte'}, {}], {
    auth: {type: 'bearer'},
  }).join('\n')
  expect(shown).toContain('exec 3<>/dev/tcp/127.0.0.1/3000; cat >&3')
  expect(shown).toContain('"authorization: Bearer $TOKEN"')
  expect(shown).toMatch(/TOKEN:\?set it to the bearer token/)
})

test('a body with line feeds and other control characters is one line, and comes out as it was', () => {
  const body = '{\r\n\t"name": "it\'s \\\\ \\u0041 50% \u0001"\n}\n'
  const bytes = Buffer.from(body)
  const [line = ''] = lines([{bytes}, {}, {}]).filter(each => each.startsWith('printf'))
  expect(line).not.toMatch(/\n/)
  for (const shell of ['bash', 'sh']) {
    const printed = execFileSync(shell, ['-c', line.replace(/ >"\$F";.*/s, '')], {encoding: 'utf8'})
    expect(printed).toBe(body)
  }
})

test('a check that waited waits in a shell too', () => {
  const sent = [0, 500, 87_600].map((at, number) => ({
    done: {call: {metadata: {id: `c${number}`}}, at, verdict: {}} as never,
    path: '/auth' as const,
    settings: {},
    isAfterRestart: false,
  }))
  const failed = new Map([[sent[2]?.done as never, 'declined']])
  const shown = shellLines(sent, {failed, url: 'http://127.0.0.1:3000', forms: PLAIN})
  expect(shown.map(line => line.replace(/ .*/, ''))).toEqual([
    'N=$(date',
    'curl',
    'curl',
    'sleep',
    'curl',
    'echo',
  ])
  expect(shown).toContain('sleep 88')
})

test('what is about many other calls sends as many', () => {
  const sent = [0, 10_321].map((othersBefore, number) => ({
    done: {call: {metadata: {id: `c${number}`}}, at: 0, verdict: {}} as never,
    path: '/auth' as const,
    settings: {},
    isAfterRestart: false,
    othersBefore,
  }))
  const failed = new Map([[sent[1]?.done as never, 'declined']])
  const forms = {...PLAIN, hasAuthorities: true}
  const shown = shellLines(sent, {failed, url: 'http://127.0.0.1:3000', forms})
  expect(shown.filter(line => line.startsWith('cardctl'))).toEqual([
    'cardctl webhook bench --to http://127.0.0.1:3000 --rate 200/s --duration 52s --ca "$CA"',
  ])
  expect(shown.filter(line => line.includes('${CA:?'))).toHaveLength(1)
})

test('every line is one line', () => {
  const lastByteAfter = Promise.resolve()
  const all = lines([{lastByteAfter}, {lastByteAfter}, {drop: 'before the answer'}, {}])
  expect(all.filter(line => line.includes('\n'))).toEqual([])
})

test('the id that a probe was asked about is there to be asked about again', () => {
  const id = '0197a1c4-6f0e-7c3a-9d52-0c1f5f3f7a10'
  const done = {call: {metadata: {id}}, at: 0, verdict: {}} as never
  const held = {id, expected: 'EUR 1', got: 'nothing'} as never
  const shown = shellLines([{done, path: '/auth', settings: {}, isAfterRestart: false}], {
    failed: new Map(),
    url: 'http://x',
    forms: PLAIN,
    held,
  })
  const script = shown.join('\n').replace('curl -sS', "printf '%s\\n'")
  const printed = execFileSync('bash', ['-c', script], {encoding: 'utf8'})
  const [, sent] = /"id":"([^"]+)"/.exec(printed) ?? []
  expect(sent).toHaveLength(36)
  expect(printed.trimEnd()).toMatch(new RegExp(`${sent}$`))
})
