import {isObject} from '../../errors/is-object.ts'
import {looksLikeCardNumber} from '../../sensitive/card-number.ts'
import {holdsCredential} from '../../sensitive/mask-text.ts'
import {isPersonalByLaw, isPersonalName} from '../../sensitive/personal-names.ts'
import {isSecretName, nameWords, singular} from '../../sensitive/secret-names.ts'
import type {FieldKind, Taken} from '../contract-form.ts'
import type {DocumentParameter, Schema} from '../document/document.ts'
import {isCredential, type ResourceIds} from './resource-ids.ts'
import {fieldSchemas, itemsOf, resolved, typesOf} from './walk-schema.ts'

/** The fields of a body that need care, as JSON pointers with `*` for every item of a list. */
export interface CarefulFields {
  readonly secret: readonly string[]
  readonly personal: readonly string[]
  readonly id: readonly string[]
  /** Neither secret nor about a person, though their names sound so. */
  readonly plain: readonly string[]
}

/** The depth of the search; deeper fields belong to linked resources. Masks by name apply at every depth. */
const DEEPEST = 4
const MOST = 200

/** Names around a resource that say nothing about it. */
const ENVELOPES =
  /^(?:data|items?|results?|response|content|records?|entries|payload|attributes|list|rows|values|objects?|page|embedded)$/

/** A secret whatever is around it: never the id of a resource. */
const NEVER_IDS =
  /\b(?:pan|pin|pinblock|cv[cvnx]|csc|cav|passwd|password|pwd|passcode|passphrase|otp|jwt|cookie|track|zpk|tzpk|card number|primary account number|security code|verification (?:code|value))\b|\b(?:access|refresh|bearer|auth|private|signing|client)(?: (?:token|key|secret|code|credential|hash)s?\b|$)/

/** Words that say of a token that it is one, where ids are called tokens too. */
const CREDENTIAL_WORDS = new Set(
  `access activation api app application assertion auth authentication authorization authorisation bearer captcha client
  confirmation control credential csrf device exchange grant id identity invitation invite jwt key link login magic nonce
  notification oauth onetime otp password processor public push refresh registration reset secret service session sign
  signature signing single sso temporary time use verification verify webhook xsrf`.split(/\s+/),
)

/** Tokens that name a page or a version. */
const PLACE_TOKEN = /\b(?:page|next|continuation|cursor|sync|version) token$/

/** Names that say something only with what they are part of: the number of a card, the value of an identification. */
const SAYS_LITTLE = /^(?:number|value)$/i

const CARD_FIELD =
  /^(?:card )?(?:cvv2?|cvc2?|cvn|security code|exp(?:iry|iration)?(?: ?(?:date|month|year))?)$/
const SCHEME_FIELD = /^scheme(?: ?name)?$/
const OF_PAYMENT =
  /\b(?:amount|currency|merchant|approval|acquirer|settlement|network|transaction|card|mcc)\b/
const AUTHORISATION = /^authori[sz]ation$/

/** How a document says that a token or a key names something. */
const NAMES_SOMETHING = /\bidentif(?:y|ies|ied|ier|iers|ying)\b|\bkey of (?:the|an?) /i
const LETS_IN =
  /\b(?:access|authenticat\w*|authoriz\w*|authoris\w*|bearer|credentials?|secret|private|sensitive|session|sign(?:ed|ing|ature)?)\b/i

interface Evidence {
  readonly schemas: ReadonlyMap<string, Schema>
  readonly ids: ResourceIds
  /** What a person says, by the name of the field in lower case. */
  readonly choices: ReadonlyMap<string, FieldKind>
}

/**
 * Decides what a field holds: what a person says, then the marks of the document, its examples, its place, and at last its
 * name.
 */
export class FieldKinds {
  readonly #evidence: Evidence
  /** What was taken for something, by the name of the field. */
  readonly taken = new Map<string, Taken>()
  /** The choices of a person that no field has had yet. */
  readonly unused: Set<string>
  /** Results by named schema, place and remaining depth, because schemas often refer to each other. */
  readonly #looked = new Map<string, CarefulFields>()

  constructor(evidence: Evidence) {
    this.#evidence = evidence
    this.unused = new Set(evidence.choices.keys())
  }

  /** @param path the path of the operation */
  fieldsOf(path: string, schema: Schema | undefined, way: Way): CarefulFields {
    const owner = resourceOf(path)
    return this.#below(schema, {around: this.#known([owner]), owner, left: DEEPEST, way})
  }

  /** Whether it is passed like a secret, or only kept out of journals and logs. */
  parameterKind(
    path: string,
    {name, in: place, schema}: DocumentParameter,
  ): 'secret' | 'personal' | undefined {
    const {ids} = this.#evidence
    const isId = place === 'path' && ids.isIdIn(path, name) && !isNeverId(name)
    // The key of /api-keys/{key} is one; its {key_id} is not.
    if (place === 'path' && !ids.isIdIn(path, name) && BARE.has(name.toLowerCase())) return 'secret'
    const around = this.#known([resourceOf(path)])
    const kind = this.kindOf(name, schema, {around, owner: [], way: 'request', isId})?.kind
    if (kind === 'personal' && isPersonalByLaw(name)) return 'secret'
    return kind === 'secret' || kind === 'personal' ? kind : undefined
  }

  kindOf(name: string, schema: unknown, place: FieldPlace): Taken | undefined {
    const found = this.#judge(name, schema, place)
    // What a name alone would have made a secret is worth a line, too.
    if (found && !(found.kind === 'id' && !isSecretName(name)))
      this.taken.set(name, this.taken.get(name) ?? found)
    return found
  }

  #judge(name: string, schema: unknown, place: FieldPlace): Taken | undefined {
    const {schemas, choices} = this.#evidence
    const chosen = choices.get(name.toLowerCase())
    this.unused.delete(name.toLowerCase())
    if (chosen) return {kind: chosen, why: '--secrets'}
    const found = resolved(schema, schemas) ?? {}
    if (found.format === 'password') return {kind: 'secret', why: 'format: password'}
    const mark = Object.keys(found).find(
      one => /^x-.*(?:sensitive|secret|confidential)/i.test(one) && found[one] === true,
    )
    if (mark) return {kind: 'secret', why: mark}
    const personal = Object.keys(found).find(one => /^x-.*(?:pii|personal)/i.test(one) && found[one] === true)
    if (personal) return {kind: 'personal', why: personal}
    if (!holdsText(found, schema, schemas)) return undefined
    const example = [found.example, found.examples, found.default].flat().find(one => typeof one === 'string')
    if (typeof example === 'string' && (looksLikeCardNumber(example) || holdsCredential(example)))
      return {kind: 'secret', why: 'its example'}
    return (
      this.#byName(name, schema, found, place) ??
      ofWhole(name, found, place) ??
      hiddenByUse(name, found, place)
    )
  }

  #byName(
    whole: string,
    schema: unknown,
    found: Found,
    {around, owner, isId = false, beside = []}: FieldPlace,
  ): Taken | undefined {
    const {ids, schemas} = this.#evidence
    // new_pan_from_card_token has the id of a card.
    const name = whole.replace(/^.*[-_]from[-_]/i, '')
    // The number of an identity card is no card number; the PIN of an account number is one.
    if (isSecretName(name) && isNeverId(name) && !ID_CARD.test(name)) return {kind: 'secret', why: 'its name'}
    if (isPersonalName(name)) return {kind: 'personal', why: 'its name'}
    if (!isSecretName(whole)) return undefined
    // What is in it says more than its name: authorization_controls, networkTokens.
    if (this.hasFields(schema)) return undefined
    if (isId) return {kind: 'id', why: 'it is part of a path'}
    const words = nameWords(name)
    if (PLACE_TOKEN.test(words.join(' '))) return {kind: 'plain', why: 'it names a page or a version'}
    if (!isSecretName(words.slice(-2).join('_')) && isOf(schema, schemas, 'number', 'integer'))
      return {kind: 'plain', why: 'it is a number'}
    if (isCredential(owner)) return {kind: 'secret', why: `its name, in ${owner.join(' ')}`}
    const at = ids.find(name, around)
    if (at) return {kind: 'id', why: `{${at.parameter}} of ${at.path}`}
    const payment = /^authori[sz]ation code$/.test(words.join(' '))
      ? beside.find(one => OF_PAYMENT.test(one))
      : undefined
    if (payment) return {kind: 'plain', why: `it is beside ${payment}`}
    const credential = words.findIndex(
      (word, place) => CREDENTIAL_WORDS.has(word) && !isPayment(words, place),
    )
    if (credential < 0 && singular(words.at(-1) ?? '') === ids.usual)
      return {kind: 'id', why: `the document calls ids ${ids.usual}`}
    const description = typeof found.description === 'string' ? found.description : ''
    const isNamed = words.length > 1 && (credential < 0 || credential === words.length - 1)
    if (isNamed && NAMES_SOMETHING.test(description) && !LETS_IN.test(description))
      return {kind: 'id', why: 'its description'}
    return {kind: 'secret', why: 'its name'}
  }

  /** Whether it is an object, or a list of objects, with fields that the document describes. */
  hasFields(schema: unknown): boolean {
    const {schemas} = this.#evidence
    return [schema, itemsOf(schema, schemas)].some(one => fieldSchemas(one, schemas).length > 0)
  }

  #below(schema: unknown, {around, owner, left, way}: Position): CarefulFields {
    if (left < 0) return NOTHING
    const reference = isObject(schema) && typeof schema.$ref === 'string' ? schema.$ref : undefined
    if (reference === undefined) return this.#inspect(schema, {around, owner, left, way})
    const words = nameWords(reference.slice(reference.lastIndexOf('/') + 1)).map(singular)
    const belonging = [...around, ...this.#known([words, words.slice(0, 2), words.slice(0, 1)])]
    const key = [way, left, reference, owner.join('-'), ...belonging.map(one => one.join('-'))].join(' ')
    const known = this.#looked.get(key)
    if (known !== undefined) return known
    // A schema that contains itself is searched once.
    this.#looked.set(key, NOTHING)
    const found = this.#inspect(schema, {around: belonging, owner, left, way})
    this.#looked.set(key, found)
    return found
  }

  #inspect(schema: unknown, {around, owner, left, way}: Position): CarefulFields {
    const fields: Record<keyof CarefulFields, Set<string>> = {
      secret: new Set(),
      personal: new Set(),
      id: new Set(),
      plain: new Set(),
    }
    const add = (place: string, below: CarefulFields): void => {
      for (const kind of KINDS)
        for (const pointer of below[kind]) if (fields[kind].size < MOST) fields[kind].add(place + pointer)
    }
    const items = itemsOf(schema, this.#evidence.schemas)
    if (items !== undefined) add('/*', this.#below(items, {around, owner, left: left - 1, way}))
    const members = fieldSchemas(schema, this.#evidence.schemas)
    const beside = members.map(({name}) => nameWords(name).join(' '))
    for (const {name, schema: member} of members) {
      const place = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      const kind = this.kindOf(name, member, {around, owner, way, beside})?.kind
      if (kind !== undefined) {
        fields[kind].add(place)
        continue
      }
      if (isSecretName(name) && this.hasFields(member)) fields.plain.add(place)
      const words = nameWords(name).map(singular)
      const isEnvelope = words.length === 1 && ENVELOPES.test(words[0] ?? '')
      const inside = isEnvelope ? {around, owner} : {around: this.#known([words]), owner: words}
      add(place, this.#below(member, {...inside, left: left - 1, way}))
    }
    return {
      secret: [...fields.secret],
      personal: [...fields.personal],
      id: [...fields.id],
      plain: [...fields.plain],
    }
  }

  /** Those that are resources of the document. */
  #known(some: Around): Around {
    return some.filter(words => this.#evidence.ids.knows(words))
  }
}

const KINDS = ['secret', 'personal', 'id', 'plain'] as const
const NOTHING: CarefulFields = {secret: [], personal: [], id: [], plain: []}

type Way = 'request' | 'reply'
type Around = readonly (readonly string[])[]

interface Place {
  /** The resources that a field here may belong to, as words. */
  readonly around: Around
  /** The words of what it is part of: a field, or what the path ends with. */
  readonly owner: readonly string[]
  readonly way: Way
}

interface FieldPlace extends Place {
  readonly isId?: boolean
  /** The names of the other fields there, as words. */
  readonly beside?: readonly string[]
}

interface Position extends Place {
  readonly left: number
}

/** Names of a path's last part that are a credential where the resource is one. */
const BARE = new Set(['token', 'key', 'code', 'secret', 'session', 'otp', 'hash', 'jwt', 'id_token'])

/** What the path of an operation ends with, without parameters. */
export const resourceOf = (path: string): readonly string[] => {
  const fixed = path.split('/').filter(segment => segment !== '' && !segment.includes('{'))
  return nameWords(fixed.at(-1) ?? '').map(singular)
}

type Found = Readonly<Record<string, unknown>>

/** What a name means with what it is part of, and with what stands beside it. */
function ofWhole(name: string, found: Found, {owner, beside = []}: FieldPlace): Taken | undefined {
  const scheme = /^identification$/i.test(name) && beside.find(one => SCHEME_FIELD.test(one))
  if (scheme) return {kind: 'personal', why: `it is beside ${scheme}`}
  if (!SAYS_LITTLE.test(name) || isMasked(found)) return undefined
  const whole = [...owner, name.toLowerCase()].join(' ')
  if (isPersonalName(whole)) return {kind: 'personal', why: `its name, in ${owner.join(' ')}`}
  const ofCard = name.toLowerCase() === 'number' && beside.find(one => CARD_FIELD.test(one))
  if (ofCard) return {kind: 'secret', why: `it is beside ${ofCard}`}
  const isSecret = isSecretName(whole) && isNeverId(whole)
  return isSecret ? {kind: 'secret', why: `its name, in ${owner.join(' ')}`} : undefined
}

function hiddenByUse(name: string, found: Found, {way}: FieldPlace): Taken | undefined {
  if (way === 'request' && found.writeOnly === true && /pin|code|secret|password/i.test(name))
    return {kind: 'secret', why: 'writeOnly'}
  return undefined
}

const isMasked = ({description = '', example = '', pattern = ''}: Found): boolean =>
  /\bmask(?:ed|s)?\b|truncated|last (?:four|4)/i.test(String(description)) ||
  /[*X•]{3}/.test(`${example} ${pattern}`)

/** An authorisation of a payment, where more follows than the token: authorization_transaction_token. */
const isPayment = (words: readonly string[], at: number): boolean =>
  AUTHORISATION.test(words[at] ?? '') && at < words.length - 2

/** Whether it can only have these types, besides null. */
function isOf(schema: unknown, schemas: ReadonlyMap<string, Schema>, ...allowed: readonly string[]): boolean {
  const types = typesOf(schema, schemas).filter(type => type !== 'null')
  return types.length > 0 && types.every(type => allowed.includes(type))
}

const ID_CARD = /^id(?:entity)?[-_ ]?card[-_ ]?number$/i

const isNeverId = (name: string): boolean => NEVER_IDS.test(nameWords(name).join(' ').replaceAll(/\d+/g, ''))

/** Booleans and enumerations are neither secrets nor about a person, even with such a name. */
function holdsText(
  found: Readonly<Record<string, unknown>>,
  schema: unknown,
  schemas: ReadonlyMap<string, Schema>,
): boolean {
  if (Array.isArray(found.enum) || found.const !== undefined) return false
  const types = typesOf(schema, schemas)
  return types.length === 0 || types.some(type => type !== 'boolean' && type !== 'null')
}
