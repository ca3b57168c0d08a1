import {resourceWords} from '../../contract/resource.ts'

const MOST = 4

/** "card 3004, plastic 7004"; of many the first ones, and how many more there are. */
export function resourceList(resources: readonly unknown[]): string {
  const words = resources.filter(one => typeof one === 'string').map(resourceWords)
  if (words.length <= MOST) return words.join(', ')
  return `${words.slice(0, MOST - 1).join(', ')} and ${words.length - MOST + 1} more`
}
