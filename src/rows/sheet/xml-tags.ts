/** The attributes of all elements of this name. */
export function tagsOf(xml: string, name: string): readonly Readonly<Record<string, string>>[] {
  return [...xml.matchAll(new RegExp(`<(?:\\w+:)?${name}\\s([^>]*)>`, 'g'))].map(([, attributes = '']) =>
    Object.fromEntries(
      [...attributes.matchAll(/([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, key, one, other]) => [
        key,
        unescaped(one ?? other ?? ''),
      ]),
    ),
  )
}

const ENTITIES: Readonly<Record<string, string>> = {lt: '<', gt: '>', quot: '"', apos: "'", amp: '&'}

const unescaped = (text: string): string =>
  text.replaceAll(/&(\w+);/g, (all, name: string) => ENTITIES[name] ?? all)
