import type {JsonSchema} from './json-schema.ts'
import {loaders} from './topics.gen.ts'
import type {Validators} from './validator.ts'

interface TopicSchemas {
  readonly requests: Readonly<Record<string, JsonSchema>>
  readonly replies: Readonly<Record<string, JsonSchema>>
}

interface Topic {
  validators(): Promise<{validators: Validators}>
  schemas(): Promise<{default: unknown}>
}

const topics: Readonly<Record<string, Topic>> = loaders

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
