import type {FlagData} from '../../../cli/help/tool-data.ts'

/** Flags that are no parameters: the server decides, or they are for people, terminals and files. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  // Whose name the service logs, whether the clock is right and the input is checked: not for the caller to decide.
  '--audit-user',
  '--clock-is-right',
  '--no-check-input',
  '--strict',
  // The server adds it.
  '--propose',
  // They print no result.
  '--curl',
  '--skeleton',
  '--show-change',
  '--watch',
  // Lists come in pages.
  '--all',
  '--max-pages',
  '--page-size',
  // `data` has every field.
  '--field',
  '--raw-field',
  // How a file is read.
  '--encoding',
  '--fill',
  '--hidden-rows',
  '--map',
  '--mapping',
  '--marked-rows',
  '--no-final-newline',
  '--save-mapping',
  '--sheet',
])

/** A file, a folder, an address or a program: none of them is for a caller to choose. */
const PLACE = /FILE|\bDIR\b|URL|HOST|PATH|COMMAND|SNAPSHOT/

export const isOfferedFlag = ({name, placeholder = '', secret}: FlagData): boolean =>
  name === '--data' ||
  !(LEFT_OUT.has(name) || secret !== undefined || PLACE.test(placeholder) || name.startsWith('--webhook-'))
