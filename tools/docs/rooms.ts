import table from '../rooms.json' with {type: 'json'}

const rooms: Readonly<Record<string, readonly string[]>> = table.rooms

/** How many rooms stand on each other below this one. */
function heightOf(room: string): number {
  return 1 + Math.max(-1, ...(rooms[room] ?? []).map(heightOf))
}

/** The rooms in rows: each imports only from rows below its own. */
function picture(): string {
  const all = ['cli', ...Object.keys(rooms).filter(room => room !== 'commands')]
  const heights = new Map(all.map(room => [room, room === 'cli' ? Number.POSITIVE_INFINITY : heightOf(room)]))
  const rows = [...new Set(heights.values())].sort((a, b) => b - a)
  const lines = rows.map(row => all.filter(room => heights.get(room) === row).join('   '))
  return ['commands', ...lines].map(line => `    ${line}`).join('\n')
}

/** The page with its picture of the rooms, and with what each may import, as the checker has it. */
export function architecturePage(page: string): string {
  return page
    .replace(/(<!-- picture -->\n)[\s\S]*(<!-- \/picture -->)/, `$1\n${picture()}\n\n$2`)
    .replace(/^(\| `([\w-]+)` \|[^|\n]*\|)[^|\n]*\|$/gm, (line, start: string, room: string) =>
      rooms[room] === undefined ? line : `${start} ${rooms[room].join(', ')} |`,
    )
}
