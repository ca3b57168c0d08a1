import {codeOf} from '../contract/response-codes.ts'
import {webhookShapes} from '../contract/webhook-shapes.gen.ts'
import {pointerBelow} from '../sensitive/json-pointer.ts'
import type {Report, Shape, ValueMap, WebhookFile} from './dialect-file.ts'
import {shapeAt} from './known-shape.ts'
import {CODE, looksLike, sense, toldCodes} from './response-codes.ts'

/** What a call can't be decided without. */
export const NEEDED: readonly string[] = [
  '/metadata/id',
  '/account/accountId',
  '/card/cardId',
  '/transactionData/transactionType',
]

const AUTH = '/webhook/auth'

/** Checks what the schema can't. What approves must differ in an answer from what doesn't. */
export function checkWebhook(
  {call, answer}: WebhookFile,
  values: Readonly<Record<string, ValueMap>>,
  report: Report,
): void {
  const {request, reply} = webhookShapes['webhook.auth']
  for (const [side, {members}, known] of [
    ['call', call, request],
    ['answer', answer, reply],
  ] as const)
    for (const location of Object.keys(members))
      if (shapeAt(known, location) === undefined)
        report(
          pointerBelow(`${AUTH}/${side}/members`, location),
          `${location} is no field of ${side === 'call' ? 'an authorisation call' : 'its answer'}`,
          'key',
        )
  for (const need of NEEDED)
    if (!isGiven(call.members, need))
      report(`${AUTH}/call/members`, `a call needs ${dotted(need)}, and nothing is given for it`)
  checkCodes(answer, values, report)
}

const dotted = (pointer: string): string => pointer.slice(1).replaceAll('/', '.')

const isGiven = (members: Shape, need: string): boolean =>
  Object.keys(members).some(location => need === location || need.startsWith(`${location}/`))

function checkCodes(
  answer: WebhookFile['answer'],
  values: Readonly<Record<string, ValueMap>>,
  report: Report,
): void {
  const {statuses = {}, decline, members} = answer
  const pointer = `${AUTH}/answer`
  for (const name of Object.keys(statuses))
    if (name !== 'else' && !isCode(name))
      report(`${pointer}/statuses`, `${name} is not a response code of two digits`)
  if (decline !== undefined && (!isCode(decline) || sense(decline) !== 'nothing'))
    report(`${pointer}/decline`, 'this is not a response code that declines')
  const rule = members[CODE]
  if (typeof rule === 'object' && (rule.at === undefined || rule.jmespath !== undefined))
    report(pointerBelow(`${pointer}/members`, CODE), 'the decision needs a place: at')
  const told = toldCodes(answer, values)
  for (const {code} of told)
    if (!isCode(code)) report(`${pointer}/members`, `${code} is not a response code of two digits`)
  const approval = told.find(({code}) => code === '00')
  if (approval === undefined) report(pointer, 'nothing says how an approval is written: 00')
  else if (approval.status > 299) report(`${pointer}/statuses`, 'an approval has a status from 200 to 299')
  if (!told.some(({code}) => sense(code) === 'nothing'))
    report(pointer, 'nothing says how a decline is written, for example with decline')
  for (const [at, one] of told.entries())
    for (const other of told.slice(at + 1))
      if (sense(one.code) !== sense(other.code) && looksLike(one, other))
        report(pointer, `nothing tells ${one.code} from ${other.code}`)
}

const isCode = (name: string): boolean => codeOf(name) === name
