import * as Flags from '@oclif/core/flags'

/** `--reveal` and `--keep` of a command that can show `what`. */
export const revealFlags = (what: string, exclusive: string[] = []) => ({
  reveal: Flags.boolean({
    summary: `Show ${what} in clear: on a terminal with a second screen until a key is pressed, on a pipe only with --yes.`,
    exclusive,
  }),
  keep: Flags.boolean({summary: 'Leave what --reveal shows on the screen.', dependsOn: ['reveal']}),
})
