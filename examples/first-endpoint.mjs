// The smallest endpoint: declines everything above EUR 100. Start it with: node first-endpoint.mjs --port 3000
import {createServer} from 'node:http'

function decide({account, transactionData: {transactionType, transactionAmount, billingAmount}}) {
  const approved = {authResponseCode: {code: '00'}}
  if (transactionType === 'REVERSAL') return approved // it has happened already
  if (transactionType === 'BALANCE_INQUIRY') return {...approved, availableAmount: account.availableAmount}
  return (transactionAmount ?? billingAmount).amount > 100 ? {authResponseCode: {code: '51'}} : approved
}

const server = createServer(async (request, response) => {
  response.setHeader('content-type', 'application/json')
  try {
    let body = ''
    request.setEncoding('utf8') // a character may come in two chunks
    for await (const chunk of request) body += chunk
    if (request.url === '/warm-up') return response.end('{}')
    response.end(JSON.stringify({transactionData: decide(JSON.parse(body))}))
  } catch {
    response.writeHead(400).end('{}') // no call, or only a part of one: never approve it, and keep running
  }
})
server.listen(Number(process.argv[3]), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${process.argv[3]}`)
})
