/** A task and the commands for it: topics, or single commands where those of a topic serve several tasks. */
interface TaskGroup {
  readonly title: string
  /** Ids of topics and commands; colons join their words. */
  readonly names: readonly string[]
}

/** What people come for, in the order of help and of the menu. */
export const TASK_GROUPS: readonly TaskGroup[] = [
  {title: 'Cards', names: ['find', 'cards']},
  {title: 'PIN', names: ['pin', 'pincontrol']},
  {title: 'Money', names: ['accounts', 'a2a', 'pricelists']},
  {title: 'Wallets', names: ['wallets']},
  {title: 'Checkout', names: ['remotecheckout']},
  {title: 'What I did', names: ['history', 'requests', 'audit', 'report']},
  {title: 'Any operation', names: ['bulk', 'mappings', 'plan', 'apply', 'api', 'contract', 'x', 'mcp']},
  {title: 'Webhook', names: ['webhook']},
  {title: 'Sandbox', names: ['sandbox']},
  {
    title: 'Set-up',
    names: [
      'profiles',
      'policy',
      'gate',
      'whoami',
      'doctor',
      'data',
      'completion',
      'upgrade',
      'tour',
      'schema',
      'help',
    ],
  },
]

/** The group of a command: the one with the longest name that the id begins with, word by word. */
export function taskGroupOf(id: string): string | undefined {
  const words = id.split(':')
  for (let count = words.length; count > 0; count--) {
    const name = words.slice(0, count).join(':')
    const group = TASK_GROUPS.find(({names}) => names.includes(name))
    if (group) return group.title
  }
  return undefined
}
