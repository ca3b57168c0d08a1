export const OUTPUT_FORMATS = ['table', 'json', 'ndjson', 'csv', 'yaml'] as const
export type OutputFormat = (typeof OUTPUT_FORMATS)[number]

/** How results are printed: the global flags. */
export interface OutputOptions {
  /** `table` is the view for people, on a terminal and in a pipe alike. */
  readonly format: OutputFormat
  /** A JMESPath expression over the whole result. */
  readonly query?: string | undefined
  /** Members to print, nested ones with dots. */
  readonly columns?: readonly string[] | undefined
  /** Whether tables and CSV begin with a header row; true by default. */
  readonly header?: boolean | undefined
  /** Quotes formulas in CSV. */
  readonly csvSafe?: boolean | undefined
  /** Leaves notes and progress out; warnings and errors stay. */
  readonly quiet?: boolean | undefined
  readonly noColour?: boolean | undefined
}
