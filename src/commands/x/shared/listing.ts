import {type Contracts, listedTag, shownLine, unknownTag} from './contracts.ts'

export interface ListedTagLine {
  readonly tag: string
  readonly operations: number
  readonly description?: string
}

export function listTags(contracts: Contracts): ListedTagLine[] {
  const tags = [...new Set(contracts.opened.flatMap(({tags: names}) => names))].sort()
  return tags.map(tag => {
    const {description, operations = {}} = listedTag(contracts, tag) ?? {}
    return {
      tag,
      operations: Object.keys(operations).length,
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
  const listed = listedTag(contracts, tag)
  if (listed === undefined) throw unknownTag(contracts, tag)
  return Object.entries(listed.operations).map(([name, {method, path, effect, summary, deprecated}]) => ({
    command: `x ${tag} ${name}`,
    request: `${method} ${path}`,
    effect,
    deprecated: deprecated ?? false,
    summary: shownLine(summary, 120),
  }))
}
