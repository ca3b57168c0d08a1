import type {PlainRequest} from '../plain-http.ts'
import {readJsonBody} from '../request-body.ts'

/** The text members of a posted HTML form or JSON object. */
export function readFormOrJson(request: PlainRequest): Record<string, string> {
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(request.body)))
  }
  const body = readJsonBody(request)
  if (typeof body !== 'object' || body === null) return {}
  return Object.fromEntries(
    Object.entries(body).filter((member): member is [string, string] => typeof member[1] === 'string'),
  )
}
