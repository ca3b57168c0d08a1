import type {JsonSchema} from './json-schema.ts'
import type {Validators} from './validator.ts'

interface TopicSchemas {
  readonly requests: Readonly<Record<string, JsonSchema>>
  readonly replies: Readonly<Record<string, JsonSchema>>
}

interface Topic {
  validators(): Promise<{validators: Validators}>
  schemas(): Promise<{default: unknown}>
}

// Each topic's validators and schemas are loaded on first use.
const topics: Readonly<Record<string, Topic>> = {
  a2a: {
    validators: () => import('./validators/a2a.gen.js'),
    schemas: () => import('./schemas/a2a.gen.json', {with: {type: 'json'}}),
  },
  accounts: {
    validators: () => import('./validators/accounts.gen.js'),
    schemas: () => import('./schemas/accounts.gen.json', {with: {type: 'json'}}),
  },
  cards: {
    validators: () => import('./validators/cards.gen.js'),
    schemas: () => import('./schemas/cards.gen.json', {with: {type: 'json'}}),
  },
  pin: {
    validators: () => import('./validators/pin.gen.js'),
    schemas: () => import('./schemas/pin.gen.json', {with: {type: 'json'}}),
  },
  pincontrol: {
    validators: () => import('./validators/pincontrol.gen.js'),
    schemas: () => import('./schemas/pincontrol.gen.json', {with: {type: 'json'}}),
  },
  pricelists: {
    validators: () => import('./validators/pricelists.gen.js'),
    schemas: () => import('./schemas/pricelists.gen.json', {with: {type: 'json'}}),
  },
  remotecheckout: {
    validators: () => import('./validators/remotecheckout.gen.js'),
    schemas: () => import('./schemas/remotecheckout.gen.json', {with: {type: 'json'}}),
  },
  sandbox: {
    validators: () => import('./validators/sandbox.gen.js'),
    schemas: () => import('./schemas/sandbox.gen.json', {with: {type: 'json'}}),
  },
  wallets: {
    validators: () => import('./validators/wallets.gen.js'),
    schemas: () => import('./schemas/wallets.gen.json', {with: {type: 'json'}}),
  },
  webhook: {
    validators: () => import('./validators/webhook.gen.js'),
    schemas: () => import('./schemas/webhook.gen.json', {with: {type: 'json'}}),
  },
}

/** The names of all topics, `webhook` among them. */
export const topicNames: readonly string[] = Object.keys(topics)

/** The topic of an operation: the beginning of its id. */
function topicOf(id: string): Topic {
  const topic = topics[id.split('.', 1)[0] ?? '']
  if (!topic) throw new Error(`The contract has no topic for ${id}.`)
  return topic
}

/**
 * Caches loaded modules: even for a loaded module, `import()` costs a look-up, which a bulk job would repeat for every
 * row.
 */
function once<Value>(load: (id: string) => Promise<Value>): (id: string) => Promise<Value> {
  const loaded = new Map<string, Promise<Value>>()
  return id => {
    const known = loaded.get(id) ?? load(id)
    loaded.set(id, known)
    return known
  }
}

export const validatorsFor = once(async id => (await topicOf(id).validators()).validators)

export const schemasFor = once(async id => (await topicOf(id).schemas()).default as TopicSchemas)
