/** The `package.json` of a published package: that of its workspace, with the program in `dist/` and without what only the repository needs. */

interface WorkspaceManifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly bin: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
}

export function publishedManifest(workspace: unknown) {
  const { name, version, description, license, bin, dependencies = {} } = workspace as WorkspaceManifest
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: Object.fromEntries(Object.entries(bin).map(([command, path]) => [command, publishedPath(path)])),
    // The version that the repository is tested with.
    engines: { node: '>=24' },
    dependencies,
  }
}

function publishedPath(path: string): string {
  return path.replace(/^src\//, 'dist/').replace(/\.ts$/, '.js')
}
