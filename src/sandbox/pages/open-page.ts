import {emptyReply, jsonReply, type PlainReply, type PlainRequest} from '../plain-http.ts'
import type {Service} from '../service.ts'

type Page = (service: Service, request: PlainRequest) => Promise<PlainReply>

/** What is served beside the operations, to anyone: the key set, and the pages that a token or control id opens. */
const pages: Readonly<Record<string, Page>> = {
  'GET /.well-known/jwks.json': async service => {
    const {jwks} = await import('../cards/service-key.ts')
    return jsonReply(200, await jwks(service), {'cache-control': 'max-age=300'})
  },
  'POST /pages/card-data': async (service, request) =>
    (await import('./card-data.ts')).cardDataPage(service, request),
  'GET /pages/card-data-frame': async () => (await import('./frame.ts')).cardDataFrame(),
  'POST /pages/pin': async (service, request) => (await import('./pin.ts')).pinPage(service, request),
  'GET /pages/pin-frame': async () => (await import('./frame.ts')).pinFrame(),
}

/** @param path without the query. @returns undefined when there is no such page. */
export function openPage(
  service: Service,
  request: PlainRequest,
  path: string,
): Promise<PlainReply> | undefined {
  const found = pages[`${request.method} ${path}`]
  if (found) return found(service, request)
  const others = Object.keys(pages).filter(key => key.endsWith(` ${path}`))
  const allow = others.map(key => key.split(' ')[0]).join(', ')
  return others.length === 0 ? undefined : Promise.resolve(emptyReply(405, {allow}))
}
