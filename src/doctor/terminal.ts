import {doubtful, type Finding, fine} from './finding.ts'

export interface Terminal {
  readonly isTerminal: boolean
  readonly interactive: boolean
  readonly colour: number
  readonly ascii: boolean
  readonly width: number | undefined
}

const COLOURS = ['no colour', '16 colours', '256 colours', 'true colour']
/** Views are drawn for 80; below this, labels and values stand below each other. */
const NARROW = 60

/** What tables and questions can rely on. */
export function terminalFinding({isTerminal, interactive, colour, ascii, width}: Terminal): Finding {
  const words = [
    isTerminal ? `${width ?? 80} columns` : 'no terminal',
    COLOURS[colour] ?? '',
    ascii ? 'ASCII' : 'Unicode',
    interactive ? 'asks questions' : 'never asks',
  ].join(', ')
  const facts = {isTerminal, interactive, colour, unicode: !ascii, width: width ?? null}
  const isNarrow = isTerminal && width !== undefined && width < NARROW
  return isNarrow ? doubtful(words, 'Make it wider, or use -o json.', {facts}) : fine(words, {facts})
}
