// How a question is asked says what kind of answer it wants. Runs in a browser, too.

interface Form {
  readonly asks: RegExp
  /** How much more counts what gives such answers. */
  readonly leads: Readonly<Record<string, number>>
  /** How much commands count that give none. */
  readonly commands?: number
}

const FORMS: readonly Form[] = [
  {
    asks: /^(?:and |so )?where\b|\bwhere (?:is|are|does|do|can i find)\b/,
    leads: {'data where': 1.5, 'docs/security.md': 1.6, 'docs/profiles.md': 1.4},
    commands: 0.7,
  },
  {
    asks: /\b(?:who|whose|which (?:of us|of you|of them|one|person|user|colleague|agent|operator))\b.*\b(?:\w{2,}ed|did|sent|made|took|saw|gave|wrote|read|set|spoke|was|(?:has|had)(?! to))\b|\bwhat\b.*\b(?:coll?\w+gues?|coworkers?|agents?|he|she|they|some(?:body|one))\b.*\b(?:did|sent|changed|done)\b/,
    leads: {history: 2.4, 'audit list': 2.1, 'report shift': 1.5, 'requests list': 1.5},
    commands: 0.6,
  },
  {
    asks: /\b(?:put|set|change|turn|take|took)\b.*\bback\b|\b(?:undo|revert)\b/,
    leads: {'requests undo': 2},
  },
  {
    asks: /\b(?:job|run|rows?|script|file)\b.*\b(?:stopped|died|broke|crashed|ended|killed|interrupted|aborted)\b/,
    leads: {'bulk resume': 2, 'docs/when-things-go-wrong.md': 1.5},
  },
  {
    asks: /\b(?:in|into|to) (?:an? |the |any |our )?logs?\b/,
    leads: {'docs/security.md': 2},
    commands: 0.7,
  },
]

/** By the name of an entry; 1 if the question has no form that says more. */
export function formFactorOf(question: string): (name: string) => number {
  const asked = FORMS.filter(({asks}) => asks.test(question))
  return name =>
    asked.reduce(
      (factor, {leads, commands = 1}) => factor * (leads[name] ?? (name.endsWith('.md') ? 1 : commands)),
      1,
    )
}
