// What the site uses of Eleventy and its markdown-it, neither of which has types.
declare module '@11ty/eleventy' {
  export interface MarkdownToken {
    readonly type: string
    readonly tag: string
    readonly info: string
    readonly content: string
    attrs: readonly (readonly [name: string, value: string])[] | null
    readonly children: readonly MarkdownToken[] | null
    attrGet(name: string): string | null
    attrSet(name: string, value: string): void
  }
  /** The data of the page that is rendered. */
  export interface MarkdownEnvironment {
    readonly page: {readonly inputPath: string; readonly url: string}
    readonly source?: string
  }
  type Rule = (tokens: readonly MarkdownToken[], index: number) => string
  export interface Markdown {
    readonly core: {
      readonly ruler: {
        push(
          name: string,
          rule: (state: {tokens: readonly MarkdownToken[]; env: MarkdownEnvironment}) => void,
        ): void
      }
    }
    readonly renderer: {readonly rules: Record<string, Rule | undefined>}
    readonly utils: {escapeHtml(text: string): string}
  }
  export interface PageData {
    readonly page: {
      readonly inputPath: string
      readonly filePathStem: string
      readonly rawInput: string
      readonly url: string
    }
    readonly source?: string
  }
  export interface Config {
    setIncludesDirectory(folder: string): void
    setQuietMode(isQuiet: boolean): void
    setUseGitIgnore(uses: boolean): void
    addGlobalData(name: string, value: unknown): void
    addTemplate(path: string, text: string, data?: object): void
    addPassthroughCopy(paths: Readonly<Record<string, string>>): void
    addFilter(name: string, filter: (...values: never[]) => unknown): void
    amendLibrary(name: 'md', change: (markdown: Markdown) => void): void
  }
  export default class Eleventy {
    constructor(
      input: string,
      output: string,
      options: {readonly quietMode?: boolean; readonly config: (config: Config) => void},
    )
    write(): Promise<unknown>
  }
}
