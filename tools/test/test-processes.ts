/**
 * Writes one file per group of test files that share a process, because `node --test` starts one process per
 * file.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { projectRoot } from '../engines/paths.ts'

export interface TestProcesses {
  /** One file per group. */
  readonly files: readonly string[]
  /** The test files of each file. */
  readonly contents: ReadonlyMap<string, readonly string[]>
  remove(): void
}

/** `groups` contains paths relative to the project's root. */
export function writeProcesses(groups: readonly (readonly string[])[]): TestProcesses {
  const folder = mkdtempSync(join(tmpdir(), 'postern-tests-'))
  const runner = pathToFileURL(join(projectRoot, 'gateway/test/support/run-files.ts')).href
  const files = groups.map((group, index) => {
    const file = join(folder, `${String(index + 1).padStart(2, '0')}.test.mjs`)
    const paths = group.map((path) => join(projectRoot, path))
    writeFileSync(
      file,
      `import { runFiles } from ${JSON.stringify(runner)}\nrunFiles(${JSON.stringify(projectRoot)}, ${JSON.stringify(paths)})\n`,
    )
    return file
  })
  const contents = new Map(files.map((file, index) => [file, groups[index]!]))
  return { files, contents, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
