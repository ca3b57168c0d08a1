import {operationsUnder} from '../../../cli/areas.ts'
import {type Contracts, shownLine, unknownTag} from './contracts.ts'

export interface ListedTagLine {
  readonly tag: string
  readonly operations: number
  readonly description?: string
}

export function listTags(contracts: Contracts): ListedTagLine[] {
  const tags = [...new Set(contracts.opened.flatMap(({tags: names}) => names))].sort()
  return tags.map(tag => {
    const description = contracts.opened
      .map(contract => contract.tag(tag)?.description)
      .find(text => text !== undefined)
    return {
      tag,
      operations: new Set(operationsUnder(contracts.opened, tag).map(({name}) => name)).size,
      ...(description === undefined ? {} : {description: shownLine(description, 120)}),
    }
  })
}

export interface ListedCommandLine {
  readonly command: string
  readonly request: string
  readonly effect: string
  readonly deprecated: boolean
  readonly summary: string
}

/** @throws Failure USAGE for a tag that no contract has */
export function listOperations(contracts: Contracts, tag: string): ListedCommandLine[] {
  const under = operationsUnder(contracts.opened, tag)
  if (under.length === 0) throw unknownTag(contracts, tag)
  const lines = new Map(under.map(one => [`x ${one.tag} ${one.name}`, one.listed]))
  return [...lines].map(([command, {method, path, effect, summary, deprecated}]) => ({
    command,
    request: `${method} ${path}`,
    effect,
    deprecated: deprecated ?? false,
    summary: shownLine(summary, 120),
  }))
}
