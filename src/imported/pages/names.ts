/** A name without the differences of spelling: `nextCursor`, `next_cursor` and `Next-Cursor` are one. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '')

/** Objects that hold facts about the pages, and nothing else. */
const HOLDER =
  /^(?:paging|pagination|pager|page|pageinfo|pages|cursors?|meta|metadata|responsemetadata|links?|resultinfo|listmetadata|queryinfo)$/
/** Objects that hold the whole response. */
const WRAPPER = /^(?:data|result|response|payload|body|embedded)$/

const MORE =
  /^(?:(?:is|has|are|there(?:is|are)?)?more(?:to(?:come|follow|load))?(?:available|records?|results?|items?|data|pages?|entries|elements|rows|objects)?(?:available|incollection)?|(?:has|is)next(?:page)?|next(?:page)?(?:exists|available)|(?:is|results?)?truncated)$/
const LAST =
  /^(?:is)?(?:the)?(?:last(?:page)?|finalpage|end|endof(?:list|results?|data|pages|file)|eof|nomore(?:results?|items|data|pages|records)?)$/

/** A member whose text is a link whatever it looks like. */
const LINK = /^(?:odata)?next(?:page|records?|results?|set|batch|resource)?(?:link|url|uri|href|path)$/
/** A member whose text may be a link or a cursor. */
const LINK_OR_CURSOR = /^next(?:page)?$/

const CURSOR =
  /cursor|continuation|bookmark|^after$|(?:next|page|paging|pagination|sync|scroll)token|nexttoken|(?:next|new)?marker$|lastevaluatedkey|(?:next)?scrollid|pag(?:e|ing)state|^(?:next|last)(?:start)?key$|^nextid$/
/** What has a word of a cursor, and leads elsewhere. */
const NO_CURSOR = /prev|before|^start|begin|current|this|self|first|^cursors$|count|size|limit|sort|type$/

const TOTAL =
  /^(?:(?:grand|overall)?total(?:number)?(?:of)?(?:items?|elements?|results?|records?|entries|hits|rows|count|objects|matches|found|size)|(?:item|record|result|element|row|entries)s?total)$/
const PAGES =
  /^(?:(?:total|num|number|count)(?:of)?pages?(?:count)?|pages?(?:total|count)|lastpage|maxpage|pages)$/
const PAGE = /^(?:(?:current)?page(?:number|index|no)?|number|pagenum)$/
const OFFSET = /^(?:(?:current)?offset|skip|start(?:index|at)?|first(?:result|index))$/

export type Kind =
  | 'holder'
  | 'wrapper'
  | 'more'
  | 'last'
  | 'link'
  | 'linkOrCursor'
  | 'cursor'
  | 'total'
  | 'pages'
  | 'page'
  | 'offset'

const KINDS: readonly (readonly [Kind, RegExp])[] = [
  ['more', MORE],
  ['last', LAST],
  ['link', LINK],
  ['linkOrCursor', LINK_OR_CURSOR],
  ['total', TOTAL],
  ['pages', PAGES],
  ['page', PAGE],
  ['offset', OFFSET],
  ['holder', HOLDER],
  ['wrapper', WRAPPER],
]

/** What members of this name tell of the pages, by what services call them. */
export function kindsOf(name: string): readonly Kind[] {
  const plain = plainName(name)
  const kinds = KINDS.filter(([, pattern]) => pattern.test(plain)).map(([kind]) => kind)
  return isCursorName(name) ? [...kinds, 'cursor'] : kinds
}

export const isCursorName = (name: string): boolean => {
  const plain = plainName(name)
  return CURSOR.test(plain) && !NO_CURSOR.test(plain)
}
