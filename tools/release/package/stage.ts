/**
 * Writes a workspace to a folder as it is published: JavaScript in `dist/`, which keeps the depth of `src/`,
 * the types and the CommonJS of the client, other files that it reads, a manifest and the licence. `npm pack`
 * in that folder builds the package. The repository itself is not changed.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { projectRoot } from '../../engines/paths.ts'
import { compile, compileTypes, javascriptName, toCommonJs } from './compile.ts'
import { publishedManifest } from './manifest.ts'

export const packages = ['gateway', 'simulator', 'client'] as const
export type Package = (typeof packages)[number]

/** Files of a package in addition to its program. */
const extras: Record<Package, readonly string[]> = {
  gateway: ['migrations', 'openapi.json', 'README.md'],
  simulator: ['docs', 'README.md'],
  client: ['README.md'],
}

/** Returns the number of program files. */
export function stage(name: Package, target: string, repository?: string): number {
  const workspace = join(projectRoot, name)
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  for (const extra of extras[name]) cpSync(join(workspace, extra), join(target, extra), { recursive: true })
  if (name === 'gateway') {
    stageConsole(join(target, 'console'))
    stageDocuments(target)
  }
  cpSync(join(projectRoot, 'LICENSE'), join(target, 'LICENSE'))
  const manifest: unknown = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8'))
  writeFileSync(
    join(target, 'package.json'),
    `${JSON.stringify(publishedManifest(manifest, repository), null, 2)}\n`,
  )
  const sources = programFiles(join(workspace, 'src'))
  const imported: string[] = []
  for (const source of sources) {
    const to = join(target, 'dist', javascriptName(relative(join(workspace, 'src'), source)))
    mkdirSync(dirname(to), { recursive: true })
    if (!source.endsWith('.ts')) {
      cpSync(source, to)
      continue
    }
    const text = readFileSync(source, 'utf8')
    const { code, imports } = compile(text)
    writeFileSync(to, code)
    // The client is a library; the others are programs.
    if (name === 'client') stageLibraryFile(join(target, 'dist'), to, code, compileTypes(text, source))
    imported.push(...imports.map((path) => resolve(dirname(to), javascriptName(path))))
  }
  if (name === 'client') writeFileSync(join(target, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n')
  const missing = imported.filter((path) => !existsSync(path))
  if (missing.length > 0) throw new Error(`imported, but not part of the package: ${missing.join(', ')}`)
  return sources.length
}

/** Writes the types of a file, and its CommonJS form below `cjs`, where the same types apply. */
function stageLibraryFile(dist: string, file: string, code: string, types: string): void {
  const commonJs = join(dist, 'cjs', relative(dist, file))
  mkdirSync(dirname(commonJs), { recursive: true })
  writeFileSync(commonJs, toCommonJs(code))
  for (const path of [file, commonJs]) writeFileSync(path.replace(/\.js$/, '.d.ts'), types)
}

/** Builds the console of this commit, which the gateway serves and which has no package. */
function stageConsole(folder: string): void {
  execFileSync(
    process.execPath,
    [
      ...[join(projectRoot, 'node_modules/vite/bin/vite.js'), 'build', join(projectRoot, 'console')],
      ...['--outDir', folder, '--emptyOutDir', '--logLevel', 'warn'],
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
}

function stageDocuments(folder: string): void {
  const program = join(projectRoot, 'gateway/tools/openapi-documents.ts')
  execFileSync(process.execPath, [program, folder], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Returns every file of the program, without tests and their support files. */
function programFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : programFiles(path)
    return entry.name.endsWith('.test.ts') ? [] : [path]
  })
}
