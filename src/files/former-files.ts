import {copyFileSync, existsSync, linkSync, renameSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {fileFailure} from './file-failure.ts'

/** Files as they were before they were replaced, so that they can be put back. That needs no room on the disk. */
export class FormerFiles {
  readonly #folder: string
  readonly #undo: {readonly path: string; run(): void}[] = []

  /** @param folder on the same file system. What is in it is put back by `putBack` alone. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** To be called before a file is made, replaced or removed. */
  keep(file: string): void {
    if (!existsSync(file)) {
      this.mayMake(file)
      return
    }
    const former = join(this.#folder, `former-${this.#undo.length}`)
    try {
      linkSync(file, former)
    } catch {
      // A file system without hard links.
      copyFileSync(file, former)
    }
    this.#undo.push({path: file, run: () => renameSync(former, file)})
  }

  /** To be called before files or folders may be made that are left alone if they are there. */
  mayMake(...paths: readonly string[]): void {
    for (const path of paths) {
      if (!existsSync(path)) this.#undo.push({path, run: () => rmSync(path, {recursive: true, force: true})})
    }
  }

  /** A second call does nothing. @throws Failure CONFIG_UNREADABLE */
  putBack(): void {
    for (let next = this.#undo.pop(); next !== undefined; next = this.#undo.pop()) {
      try {
        next.run()
      } catch (error) {
        throw fileFailure(next.path, 'written', error)
      }
    }
  }
}
