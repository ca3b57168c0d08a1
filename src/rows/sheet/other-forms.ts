import {Failure} from '../../errors/failure.ts'

const SAVE = 'Open it in a spreadsheet, and save it as XLSX, or as CSV in UTF-8.'

interface OtherForm {
  readonly is: (bytes: Buffer) => boolean
  readonly what: string
  readonly hint?: string
}

const startsWith =
  (...start: readonly number[]) =>
  (bytes: Buffer): boolean =>
    start.every((byte, at) => bytes[at] === byte)

/** The first signs of a text, whatever its encoding. */
const startOf = (bytes: Buffer): string => bytes.toString('latin1', 0, 2048).replaceAll('\0', '')

const begins =
  (start: RegExp) =>
  (bytes: Buffer): boolean =>
    start.test(startOf(bytes))

/** Whether a ZIP file has an entry with this name. Names are in the directory at the end, and before each entry. */
const hasPart =
  (name: string) =>
  (bytes: Buffer): boolean =>
    startsWith(0x50, 0x4b)(bytes) && bytes.includes(name, 0, 'latin1')

/** What people send for a spreadsheet, or systems call one, that isn't read here. */
const OTHER_FORMS: readonly OtherForm[] = [
  {
    is: startsWith(0xd0, 0xcf, 0x11, 0xe0),
    what: 'a workbook of an old form, or one with a password',
    hint: 'Open it in a spreadsheet, and save it as XLSX without a password, or as CSV in UTF-8.',
  },
  {
    is: hasPart('application/vnd.oasis.opendocument.spreadsheet'),
    what: 'an OpenDocument spreadsheet (ODS)',
  },
  {is: hasPart('.iwa'), what: 'a document of Apple Numbers', hint: 'Export it from Numbers as Excel or CSV.'},
  {is: hasPart('xl/workbook.bin'), what: 'a binary workbook (XLSB)'},
  {
    is: hasPart('word/document.xml'),
    what: 'a text document (DOCX)',
    hint: 'Copy its table to a spreadsheet, and save that as XLSX.',
  },
  {
    is: begins(/^%PDF-/),
    what: 'a PDF',
    hint: 'Ask for the spreadsheet that it was made from. Amounts are not read from pages.',
  },
  {
    is: begins(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*<(?:!doctype|html|head|meta|style|table|div)[\s>]/i),
    what: 'a web page (HTML), which some systems call XLS',
  },
  {
    is: begins(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*<\?xml[^>]*>[\s\S]*<(?:\w+:)?Workbook[\s>]/),
    what: 'an XML workbook of Excel 2003',
  },
  {
    is: begins(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*<\?xml[\s?]/),
    what: 'an XML file and no spreadsheet',
    hint: 'Name a CSV, TSV or XLSX file.',
  },
  {is: begins(/^\{\\rtf/), what: 'a text document (RTF)'},
]

const formOf = (bytes: Uint8Array): OtherForm | undefined => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return OTHER_FORMS.find(({is}) => is(buffer))
}

/** Whether the bytes begin as such a file does. */
export const isOtherForm = (bytes: Uint8Array): boolean => formOf(bytes) !== undefined

/** @throws Failure INPUT_INVALID for a file of another form than those that are read, with what it is */
export function refuseOtherForms(bytes: Uint8Array, source: string): void {
  const found = formOf(bytes)
  if (found === undefined) return
  throw new Failure('INPUT_INVALID', {
    message: `${source} is ${found.what}.`,
    hint: found.hint ?? SAVE,
    effect: 'none',
  })
}
