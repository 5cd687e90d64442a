/**
 * Decides which test files share a process, because starting a process and loading the sources is expensive
 * and there are hundreds of files. Files that use no engine, socket, other process or environment variable
 * all run in one. Files that use them, but change no state of the process, run in groups, one file after the
 * other.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** Importers of this file need PostgreSQL, RabbitMQ or Redis. */
const engines = 'gateway/test/support/engines/services.ts'
const usesSharedResources =
  /from 'node:(?:child_process|cluster|dgram|http|http2|https|net|tls|worker_threads)'|process\.(?:chdir|env|exit|on)\b|\bmock\b|globalThis/
/** Changes or measures state that all files of a process share: clocks, environment, keys, memory. */
const changesProcess =
  /process\.(?:chdir|exit|on|memoryUsage)\b|process\.env(?:\.\w+|\[[^\]]+\])? = |assign[(]process\.env|delete process\.env|\bmock\b|globalThis|messageCipher|ENCRYPT_MESSAGES|encryptMessages|measureClock|\bclock\.\w+ = |\bclock\.follow|TestInstallation|postern-command/
/** Modules that open something when they are loaded, which would serve the first file only. */
const opensAtLoad = /^(?:export )?(?:const|let) .* = await create|^addCleanup\(/m
/** Roles, and commands that read the environment, use the whole process. */
const alwaysAlone =
  /^(?:gateway\/src\/roles|gateway\/src\/cli\/(?:secrets|system)|gateway\/test|tools|bench)\//
/** Modules that restore the state of the process. */
const restoresProcess = /^gateway\/test\/support\/(?:cleanup|command|processes\/process-cleanup)\.ts$/
const imports = /(?:from|import) '(\.{1,2}\/[^']+\.tsx?)'/g
/** Larger groups make the last process of a run longer. */
const groupSize = 12

export interface TestFiles {
  /** Files that run in one process, concurrently. */
  readonly together: readonly string[]
  /** Files that share a process, one file after the other. */
  readonly groups: readonly (readonly string[])[]
  /** Files that need their own process. */
  readonly alone: readonly string[]
}

export function divideTests(root: string, patterns: readonly string[]): TestFiles {
  const files = globSync([...patterns], {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  }).sort()
  const reader = new ImportReader(root)
  const ownAndSupport = (file: string): string[] =>
    [...reader.listReachable(file)].filter((path) => path === file || isSupport(path))
  const isFree = (file: string): boolean =>
    !reader.listReachable(file).has(engines) &&
    !ownAndSupport(file).some((path) => usesSharedResources.test(reader.readText(path)))
  const isGroupable = (file: string): boolean =>
    !alwaysAlone.test(file) &&
    !ownAndSupport(file).some(
      (path) =>
        !restoresProcess.test(path) &&
        (changesProcess.test(reader.readText(path)) ||
          (path !== file && opensAtLoad.test(reader.readText(path)))),
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

/** Puts neighbours into different groups, because files of one folder take about the same time. */
function splitEvenly(files: readonly string[], count: number): string[][] {
  return Array.from({ length: count }, (_, nth) => files.filter((_file, index) => index % count === nth))
}

/** Matches code that tests share, not the code under test. */
const isSupport = (path: string): boolean => /(?:^|\/)test\//.test(path)

class ImportReader {
  readonly #root: string
  readonly #texts = new Map<string, string>()
  readonly #imported = new Map<string, readonly string[]>()

  constructor(root: string) {
    this.#root = root
  }

  readText(path: string): string {
    let text = this.#texts.get(path)
    if (text !== undefined) return text
    const file = join(this.#root, path)
    // A test can contain code as an example, which imports files that do not exist.
    text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    this.#texts.set(path, text)
    return text
  }

  /** Returns the file and everything that it imports, directly or indirectly. */
  listReachable(file: string): ReadonlySet<string> {
    const reached = new Set([file])
    for (const path of reached) for (const imported of this.#importedBy(path)) reached.add(imported)
    return reached
  }

  #importedBy(path: string): readonly string[] {
    let found = this.#imported.get(path)
    if (found === undefined) {
      found = [...this.readText(path).matchAll(imports)].map(([, imported]) =>
        relative(this.#root, resolve(this.#root, dirname(path), imported!)),
      )
      this.#imported.set(path, found)
    }
    return found
  }
}
