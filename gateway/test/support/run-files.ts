/**
 * Runs test files one after the other in this process, because starting a process and loading the sources per
 * file is slow. Each file is a test of its name: its hooks belong to that test, and its resources are closed
 * before the next file begins. The files that `tools/test/test-processes.ts` writes import it.
 */
import { relative } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { closeFile } from './cleanup.ts'

/** A test inherits this limit of its file, not that of the command line. */
const fileTimeoutMs = 600_000

/** `files` contains absolute paths. */
export function runFiles(root: string, files: readonly string[]): void {
  for (const file of files)
    test(relative(root, file), { timeout: fileTimeoutMs }, async (t) => {
      t.after(closeFile)
      await import(pathToFileURL(file).href)
    })
}
