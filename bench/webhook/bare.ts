// What there is to beat: a Fastify handler that parses and answers, and does nothing else.
import process from 'node:process'
import {fastify} from 'fastify'

const app = fastify()
app.post('/auth', () => ({transactionData: {authResponseCode: {code: '00'}}}))
await app.listen({host: '127.0.0.1', port: Number(process.argv[2])})
