// The floor of a bulk run: only the requests. node bench/bare-loop.ts ROWS.csv URL CONCURRENCY
import {createHash} from 'node:crypto'
import {readFileSync} from 'node:fs'
import process from 'node:process'
import {Agent, request} from 'undici'

const [file = '', url, concurrency] = process.argv.slice(2)
const connections = Number(concurrency)
const dispatcher = new Agent({connections})
const rows = readFileSync(file, 'utf8').trim().split('\n').slice(1).entries()

async function send(): Promise<number> {
  let count = 0
  for (const [at, row] of rows) {
    const [id, creditLimit] = row.split(',')
    const key = createHash('sha256').update(`${at}`).digest('hex').slice(0, 48)
    const {statusCode, body} = await request(`${url}/v4/CREDIT/${id}?auditUser=tester`, {
      dispatcher,
      method: 'PATCH',
      headers: {'content-type': 'application/json', 'x-idempotency-key': key},
      body: JSON.stringify({creditLimit: Number(creditLimit)}),
    })
    await body.json()
    if (statusCode !== 200) throw new Error(`the service answered ${statusCode}`)
    count++
  }
  return count
}

const counts = await Promise.all(Array.from({length: connections}, send))
await dispatcher.close()
process.stdout.write(`${counts.reduce((sum, count) => sum + count, 0)} rows\n`)
