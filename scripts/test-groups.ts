/**
 * Which test files can share a process: those that use no engine, no socket, no other process and no environment variable. Starting a
 * process and loading the sources takes 0.5 s of CPU, and there are hundreds of them. Called by `test.ts`.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** Its importers need PostgreSQL, RabbitMQ or Redis. */
const engines = 'gateway/test/support/services.ts'
const ofItsOwn =
  /from 'node:(?:child_process|cluster|dgram|http|http2|https|net|tls|worker_threads)'|process\.(?:chdir|env|exit|on)\b|\bmock\b|globalThis/
const imports = /(?:from|import) '(\.{1,2}\/[^']+\.tsx?)'/g

export interface TestFiles {
  /** Those of one process, one after the other. */
  readonly together: string[]
  /** Those that need one each. */
  readonly alone: string[]
}

export function divideTests(root: string, patterns: readonly string[]): TestFiles {
  const files = globSync([...patterns], {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  }).sort()
  const reader = new ImportReader(root)
  const isAlone = (file: string): boolean => {
    const reached = [...reader.reachedFrom(file)]
    return reached.some(
      (path) =>
        path === engines || ((path === file || isSupport(path)) && ofItsOwn.test(reader.textOf(path))),
    )
  }
  const alone = new Set(files.filter(isAlone))
  return { together: files.filter((file) => !alone.has(file)), alone: [...alone] }
}

/** What tests share, as opposed to what they test. */
const isSupport = (path: string): boolean => /(?:^|\/)test\//.test(path)

class ImportReader {
  readonly #root: string
  readonly #texts = new Map<string, string>()

  constructor(root: string) {
    this.#root = root
  }

  textOf(path: string): string {
    let text = this.#texts.get(path)
    if (text !== undefined) return text
    const file = join(this.#root, path)
    // Tests have examples of code in them.
    text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    this.#texts.set(path, text)
    return text
  }

  /** The file and what it imports, at any depth. */
  reachedFrom(file: string): ReadonlySet<string> {
    const reached = new Set([file])
    for (const path of reached)
      for (const [, imported] of this.textOf(path).matchAll(imports))
        reached.add(relative(this.#root, resolve(this.#root, dirname(path), imported!)))
    return reached
  }
}
