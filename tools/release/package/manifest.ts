/**
 * Creates the `package.json` of a published package from that of its workspace, with the program or the
 * library in `dist/` and without entries that only the repository needs.
 */

interface WorkspaceManifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly bin?: Readonly<Record<string, string>>
  /** Entries of a library. */
  readonly exports?: Readonly<Record<string, string>>
  readonly engines?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
}

/** The version that the repository is tested with. */
const tested = { node: '>=24' }

/** npm accepts provenance only of a package that names the `repository` it was built from. */
export function publishedManifest(workspace: unknown, repository?: string) {
  const manifest = workspace as WorkspaceManifest
  const { name, version, description, license, bin, exports, engines = tested, dependencies = {} } = manifest
  return {
    name,
    version,
    description,
    license,
    ...(repository === undefined ? {} : { repository: { type: 'git', url: `git+${repository}.git` } }),
    type: 'module',
    ...(bin === undefined ? {} : { bin: mapValues(bin, publishedPath) }),
    ...(exports === undefined ? {} : { exports: mapValues(exports, publishedEntry), sideEffects: false }),
    engines,
    dependencies,
  }
}

function mapValues<Value>(entries: Readonly<Record<string, string>>, map: (path: string) => Value) {
  return Object.fromEntries(Object.entries(entries).map(([key, path]) => [key, map(path)]))
}

function publishedEntry(path: string) {
  const esModule = publishedPath(path)
  const commonJs = esModule.replace('dist/', 'dist/cjs/')
  return { import: withTypes(esModule), require: withTypes(commonJs) }
}

function withTypes(path: string) {
  return { types: path.replace(/\.js$/, '.d.ts'), default: path }
}

function publishedPath(path: string): string {
  return path.replace(/^(\.\/)?src\//, '$1dist/').replace(/\.ts$/, '.js')
}
