// The smallest endpoint: declines everything above EUR 100. Start it with: node first-endpoint.mjs --port 3000
import {createServer} from 'node:http'

function decide({account, transactionData: {transactionType, transactionAmount}}) {
  const approved = {authResponseCode: {code: '00'}}
  if (transactionType === 'REVERSAL') return approved // it has happened already
  if (transactionType === 'BALANCE_INQUIRY') return {...approved, availableAmount: account.availableAmount}
  return transactionAmount.amount > 100 ? {authResponseCode: {code: '51'}} : approved
}

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  response.setHeader('content-type', 'application/json')
  if (request.url === '/warm-up') return response.end('{}')
  try {
    response.end(JSON.stringify({transactionData: decide(JSON.parse(body))}))
  } catch {
    response.writeHead(400).end('{}') // not a call: never approve it, and keep running
  }
})
server.listen(Number(process.argv[3]), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${process.argv[3]}`)
})
