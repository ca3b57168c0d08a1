import {describe, expect, test} from 'vitest'
import {advice} from '../../src/errors/advice.ts'
import {Failure} from '../../src/errors/failure.ts'
import {SuggestedCommand} from '../../src/errors/suggested-command.ts'
import {errorJson, errorLines, noteJson} from '../../src/output/format-error.ts'
import {maskLine} from '../../src/sensitive/mask-line.ts'
import {maskText} from '../../src/sensitive/mask-text.ts'

/** Side by side, they are digits of a card number. */
const IDS = ['88020', '88021', '88023']

describe('ids side by side in a command to paste', () => {
  const line = `cardctl a2a watch ${IDS.join(' ')} -p prod`

  test('can be pasted from text, JSON and a log', () => {
    expect(maskText(line), 'the ids are a number together').not.toBe(line)
    const failure = new Failure('ALREADY_SENT', {
      message: 'They were sent.',
      hint: advice`See: ${new SuggestedCommand(['a2a', 'watch', ...IDS, '-p', 'prod'])}`,
    })
    expect(errorLines(failure).flat().join('\n')).toContain(line)
    expect(JSON.parse(errorJson(failure)).error).toMatchObject({
      hint: `See: ${line}`,
      commands: [{argv: ['a2a', 'watch', ...IDS, '-p', 'prod']}],
    })
    expect(JSON.parse(noteJson(`Then: ${line}`, {code: 'NOTE'})).note.message).toBe(`Then: ${line}`)
  })

  test.each([
    ['at the end', `cardctl a2a watch ${IDS.join(' ')}`],
    ['with a full stop', `See: cardctl a2a watch ${IDS.join(' ')}. Then wait.`],
    ['before another line', `cardctl a2a watch ${IDS.join(' ')}\n  done`],
    ['after variables', `CARDCTL_DATA_DIR=/srv/x cardctl a2a watch ${IDS.join(' ')} -p prod`],
  ])('stay as they are %s', (_, text) => expect(maskLine(text)).toBe(text))

  test.each([
    ['one argument', 'cardctl cards get 4111111111111111 88020'],
    ['groups as on a card', 'cardctl cards get 4111 1111 1111 1111'],
    ['groups as on a card among ids', 'cardctl a2a watch 88020 4111 1111 1111 1111 -p prod'],
    ['an argument among others', 'cardctl a2a watch 88020 88021 4111111111111111 -p prod'],
    ['digits that go on behind', 'cardctl a2a watch 411111 111111  1111'],
    ['other words', 'The card 88020 88021 88023'],
  ])('hides %s as anywhere', (_, text) => {
    expect(maskLine(text)).toBe(maskText(text))
    expect(maskLine(text)).toContain('•')
  })

  test('hides a credential in the line', () =>
    expect(maskLine(`https://me:secret@host/ cardctl a2a watch ${IDS.join(' ')}`)).not.toContain('secret'))
})
