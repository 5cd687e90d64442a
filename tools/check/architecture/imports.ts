/**
 * Reads the import graph with the TypeScript parser: static, dynamic and type-only imports of files in this
 * repository. Paths are relative to the root, with forward slashes.
 */
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join } from 'node:path/posix'
import ts from 'typescript'

/** Maps each file to the files that it imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

export async function readImports(root: string, patterns: readonly string[]): Promise<ImportGraph> {
  const files: string[] = []
  for await (const file of glob([...patterns], { cwd: root })) files.push(file.replaceAll('\\', '/'))
  const known = new Set(files)
  return new Map(
    files.sort().map((file) => {
      const source = readFileSync(join(root, file), 'utf8')
      const imported = ts
        .preProcessFile(source, true, true)
        .importedFiles.map(({ fileName }) => fileName)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => join(dirname(file), specifier))
        .filter((target) => known.has(target))
      return [file, [...new Set(imported)]]
    }),
  )
}
