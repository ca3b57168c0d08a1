import {hash} from 'node:crypto'
import type {PlainReply} from '../plain-http.ts'
import {page} from './html.ts'

/**
 * A page for a frame in another's page: waits for a message of the page around it, posts one member of it to its
 * sibling and shows what comes back.
 *
 * @param message the `operation` that the message must name, and the member that is passed on.
 */
function framePage(
  title: string,
  sibling: string,
  message: {readonly operation: string; readonly member: string},
): PlainReply {
  const text = `
'use strict'
const [sibling, operation, member] = ${JSON.stringify([sibling, message.operation, message.member])}
addEventListener('message', async event => {
  const data = event.data
  if (event.source !== parent || !data || data.operation !== operation || typeof data[member] !== 'string') return
  const reply = await fetch(sibling, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({[member]: data[member]}),
  })
  const shown = new DOMParser().parseFromString(await reply.text(), 'text/html')
  document.body.replaceChildren(...shown.body.childNodes)
})
`
  const script = {text, sha256: hash('sha256', text, 'base64')}
  return page(200, title, '<p>Waiting for the page around this one.</p>', {script, framed: true})
}

/** Takes `{operation: "view-pan", token}`. */
export const cardDataFrame = () =>
  framePage('Card data', 'card-data', {operation: 'view-pan', member: 'token'})

/** Takes `{operation: "pin", controlId}`. */
export const pinFrame = () => framePage('PIN', 'pin', {operation: 'pin', member: 'controlId'})
