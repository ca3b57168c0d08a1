import {createPromptModule} from 'inquirer'
import type {Failure} from '../errors/failure.ts'
import {Sink} from '../output/sink.ts'
import {isAsciiOnly} from '../output/terminal.ts'
import {HeldEnter} from './held-enter.ts'
import {onlyChosenKeys} from './list-keys.ts'
import {endedAtQuestion, StepBack, stoppedAtQuestion, whileAsking} from './question-ends.ts'
import {doneText, listTheme, type Question} from './question-look.ts'
import {QuestionScreen, SHOW_CURSOR} from './question-screen.ts'
import {ReplacedText} from './replaced-text.ts'
import type {Surroundings} from './surroundings.ts'

/** Terminals send one Esc at a time; Node waits half a second for the rest of a key. */
const ESC_TWICE = '\u001b\u001b'

/**
 * Asks one question, and leaves one line of it behind.
 *
 * @throws Failure INPUT_ENDED, INTERRUPTED, TERMINATED, HUNG_UP if it gets no answer; StepBack
 */
export async function askQuestion(
  surroundings: Surroundings,
  question: Question,
  {goesBack}: {readonly goesBack: boolean},
): Promise<unknown> {
  const {env, stdin, stderr, atExit} = surroundings
  const sink = new Sink(stderr)
  const screen = new QuestionScreen(stderr, {say: text => sink.say(text), isAscii: isAsciiOnly(env)})
  const giveUp = new AbortController()
  let isOpen = true
  let broken: Failure | StepBack | undefined
  let answered: {readonly value: unknown} | undefined
  const end = (failure: Failure | StepBack): void => {
    if (!isOpen) return
    broken ??= failure
    giveUp.abort()
  }
  const onKey = (_: unknown, key?: {readonly name?: string; readonly sequence?: string}): void => {
    if (key?.name !== 'escape') return
    end(goesBack && key.sequence !== ESC_TWICE ? new StepBack() : stoppedAtQuestion('SIGINT'))
  }
  const onPause = (): void => void setImmediate(() => isOpen && endOrGoOn(surroundings, end))
  const stopWatching = whileAsking(surroundings, end)
  const forget = atExit(() => sink.say(SHOW_CURSOR))
  stdin.on('pause', onPause).on('keypress', onKey)
  const leaveKeys = question.type === 'checkbox' ? onlyChosenKeys(stdin) : () => {}
  const enter = new HeldEnter(stdin)
  const text = new ReplacedText(stdin)
  try {
    if (broken) throw broken
    // Inquirer would leave a whole list behind, and break what was answered in the middle of a word.
    const settings = {input: stdin, output: screen, signal: giveUp.signal, clearPromptOnDone: true}
    const asked = {
      ...text.watched(enter.watched(question)),
      name: 'answer',
      theme: listTheme(surroundings, {typing: question.typing as string | undefined, goesBack}),
    }
    const answers: Record<string, unknown> = await createPromptModule(settings)([asked as never])
    answered = {value: answers.answer}
    return answered.value
  } catch (error) {
    if (broken) throw broken
    throw error instanceof Error && error.name === 'ExitPromptError' ? stoppedAtQuestion('SIGINT') : error
  } finally {
    isOpen = false
    leaveKeys()
    enter.leave()
    text.leave()
    stdin.off('pause', onPause).off('keypress', onKey)
    stopWatching()
    forget()
    screen.leave()
    if (!(broken instanceof StepBack)) sink.say(doneText(question, answered, surroundings))
  }
}

/**
 * Nothing reads the input although the question is open. Either inquirer closed its reader at Ctrl-D and would wait for
 * ever, or the run was suspended (Ctrl-Z) and continues.
 */
function endOrGoOn({stdin}: Surroundings, end: (failure: Failure) => void): void {
  if (stdin.isRaw) stdin.resume()
  else end(endedAtQuestion())
}
