/**
 * Runs test files one after the other in this process, each as a test of its name: their hooks are those of that test, and what a file
 * has opened is closed before the next one begins. Starting a process and loading the sources takes 1 s of CPU a file otherwise.
 * Imported by the files that `scripts/test-processes.ts` writes.
 */
import { relative } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { closeFile } from './cleanup.ts'

/** A test in it has as long: it inherits the limit of its file, not that of the command line. */
const fileTimeoutMs = 600_000

/** Absolute paths. */
export function runFiles(root: string, files: readonly string[]): void {
  for (const file of files)
    test(relative(root, file), { timeout: fileTimeoutMs }, async (t) => {
      t.after(closeFile)
      await import(pathToFileURL(file).href)
    })
}
