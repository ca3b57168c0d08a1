import type {Definition} from '../needs.ts'
import type {Prompter} from '../question.ts'

/** Whether a value says where a secret is, and whether the secret can be typed instead. */
export function secretFormOf({helpValue = ''}: Definition): 'place' | 'place or typed' | undefined {
  const form = [helpValue].flat().join('|')
  if (!form.startsWith('env:NAME')) return undefined
  return form.endsWith('|-') ? 'place or typed' : 'place'
}

/** Asks where a secret is, so that nobody types the secret itself where it can be read. */
export async function askSecretPlace(
  prompter: Prompter,
  message: string,
  {form, optional}: {readonly form: 'place' | 'place or typed'; readonly optional: boolean},
): Promise<string> {
  const isChosen = form === 'place or typed' || optional
  if (isChosen) {
    const chosen = await prompter.choose(message, [
      ...(optional ? [{value: '', name: 'None'}] : []),
      ...(form === 'place'
        ? []
        : [{value: '-', name: 'Type it: it is not shown, and goes into the keyring'}]),
      {value: 'place', name: 'It is in a variable, in a file, or printed by a command'},
    ])
    if (chosen !== 'place') return chosen
  }
  const place = 'env:NAME, file:PATH or cmd:COMMAND, and not the secret itself'
  return prompter.text(isChosen ? `Where it is: ${place}` : `${message} (${place})`, isPlace)
}

const isPlace = (text: string): true | string =>
  /^(?:env|file|cmd):./.test(text) || 'Begin with env:, file: or cmd:'
