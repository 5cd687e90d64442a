/**
 * Which test files can share a process. Those that use no engine, no socket, no other process and no environment variable all run in
 * one. Those that do, and change nothing that belongs to the whole process, run in groups, one file after the other. Starting a process
 * and loading the sources takes 0.5 to 1.2 s of CPU, and there are hundreds of files. Called by `test.ts`.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** Its importers need PostgreSQL, RabbitMQ or Redis. */
const engines = 'gateway/test/support/services.ts'
const ofItsOwn =
  /from 'node:(?:child_process|cluster|dgram|http|http2|https|net|tls|worker_threads)'|process\.(?:chdir|env|exit|on)\b|\bmock\b|globalThis/
/** Changes, or measures, what all files of a process would share: its clocks, its environment, its keys, its memory. */
const ofTheProcess =
  /process\.(?:chdir|exit|on|memoryUsage)\b|process\.env(?:\.\w+|\[[^\]]+\])? = |assign[(]process\.env|delete process\.env|\bmock\b|globalThis|messageCipher|ENCRYPT_MESSAGES|encryptMessages|measureClock|\bclock\.\w+ = |\bclock\.follow|TestInstallation|postern-command/
/** A module that opens something when it is loaded: for the first file alone. */
const opensAtLoad = /^(?:export )?(?:const|let) .* = await create|^atEnd\(/m
/** They are processes as a whole: roles, and commands that read the environment. */
const alwaysAlone =
  /^(?:gateway\/src\/roles|gateway\/src\/commands\/(?:secrets|system)|gateway\/test|scripts|bench)\//
/** They leave the process as it was. */
const harmless = /^gateway\/test\/support\/(?:cleanup|command|processes\/process-cleanup)\.ts$/
const imports = /(?:from|import) '(\.{1,2}\/[^']+\.tsx?)'/g
/** More files in a process make the last process of a run longer. */
const groupSize = 12

export interface TestFiles {
  /** Those of one process, all at once. */
  readonly together: readonly string[]
  /** Those of one process each, one file after the other. */
  readonly groups: readonly (readonly string[])[]
  /** Those that need a process each. */
  readonly alone: readonly string[]
}

export function divideTests(root: string, patterns: readonly string[]): TestFiles {
  const files = globSync([...patterns], {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  }).sort()
  const reader = new ImportReader(root)
  const ownAndSupport = (file: string): string[] =>
    [...reader.reachedFrom(file)].filter((path) => path === file || isSupport(path))
  const isFree = (file: string): boolean =>
    !reader.reachedFrom(file).has(engines) &&
    !ownAndSupport(file).some((path) => ofItsOwn.test(reader.textOf(path)))
  const isGroupable = (file: string): boolean =>
    !alwaysAlone.test(file) &&
    !ownAndSupport(file).some(
      (path) =>
        !harmless.test(path) &&
        (ofTheProcess.test(reader.textOf(path)) || (path !== file && opensAtLoad.test(reader.textOf(path)))),
    )
  const together = files.filter(isFree)
  const others = files.filter((file) => !together.includes(file))
  const grouped = others.filter(isGroupable)
  return {
    together,
    groups: splitEvenly(grouped, Math.ceil(grouped.length / groupSize)),
    alone: others.filter((file) => !grouped.includes(file)),
  }
}

/** Neighbours in different groups: files of one folder take about the same time. */
function splitEvenly(files: readonly string[], count: number): string[][] {
  return Array.from({ length: count }, (_, nth) => files.filter((_file, index) => index % count === nth))
}

/** What tests share, as opposed to what they test. */
const isSupport = (path: string): boolean => /(?:^|\/)test\//.test(path)

class ImportReader {
  readonly #root: string
  readonly #texts = new Map<string, string>()
  readonly #imported = new Map<string, readonly string[]>()

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
    for (const path of reached) for (const imported of this.#importedBy(path)) reached.add(imported)
    return reached
  }

  #importedBy(path: string): readonly string[] {
    let found = this.#imported.get(path)
    if (found === undefined) {
      found = [...this.textOf(path).matchAll(imports)].map(([, imported]) =>
        relative(this.#root, resolve(this.#root, dirname(path), imported!)),
      )
      this.#imported.set(path, found)
    }
    return found
  }
}
