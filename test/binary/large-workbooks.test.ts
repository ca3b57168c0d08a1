// Large workbooks with the built program: they are read, or refused before anything is sent.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {strToU8, unzipSync, zipSync} from 'fflate'
import {expect, test} from 'vitest'
import writeXlsx from 'write-excel-file/node'
import {emptyHome, run} from '../helpers/binary.ts'
import {part} from '../helpers/whole.ts'

const CREATE = ['a2a', 'create', '--from', 'rows.xlsx', '--dry-run', '-p', 'sandbox', '-o', 'json']
const BULK = ['bulk', 'run', 'accounts.patchCredit.v4', '--from', 'rows.xlsx', '--yes', '-p', 'sandbox']

async function homeWith(count: number, change: (book: Uint8Array) => Uint8Array = book => book) {
  const home = await emptyHome()
  const header = ['from', 'to', 'amount', 'currency', 'text'].map(value => ({value}))
  const rows = Array.from({length: count}, (_, at) =>
    ['2006', '2007', at + 1, 'EUR', `Wage ${at}`].map(value => ({value})),
  )
  await writeFile(join(home, 'rows.xlsx'), change(await writeXlsx([header, ...rows]).toBuffer()))
  return home
}

/** The same cells, in a sheet of 40 MiB. */
function padded(book: Uint8Array): Uint8Array {
  const parts = unzipSync(book)
  const name = Object.keys(parts).find(one => one.includes('worksheets/sheet')) ?? ''
  return zipSync({...parts, [name]: Buffer.concat([parts[name] ?? strToU8(''), Buffer.alloc(40 << 20, ' ')])})
}

test('a sheet of more than half a MiB is read', async () => {
  const {code, stdout, stderr} = await run(await homeWith(4_000), CREATE)
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('Error')])
  expect(JSON.parse(stdout).body.transfers).toHaveLength(4_000)
})

test.each(
  part(
    [
      ['a batch', CREATE],
      ['a bulk job', BULK],
    ],
    2,
  ),
)('for %s, a sheet that the heap has no room for is refused with a sentence', async (_, argv) => {
  const env = {NODE_OPTIONS: '--max-old-space-size=128'}
  const {code, stderr} = await run(await homeWith(2, padded), argv, {env})
  expect([code, stderr]).toEqual([2, expect.stringMatching(/too large .* MiB when unpacked/)])
  expect(stderr).toContain('Save the sheet as CSV in UTF-8')
})
