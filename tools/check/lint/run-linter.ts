/** Lints files outside the repository as if they were at the given paths. */
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { projectRoot } from '../../engines/paths.ts'

export interface Finding {
  /** Examples: `eslint(no-var)`, `typescript(TS2322)`, `postern(import-order)`. */
  readonly code: string
  readonly message: string
  readonly filename: string
}

export async function runLinter(files: Readonly<Record<string, string>>): Promise<readonly Finding[]> {
  const root = await mkdtemp(join(tmpdir(), 'lint-'))
  try {
    for (const name of ['.oxlintrc.json', 'tsconfig.json', 'package.json'])
      await copyFile(join(projectRoot, name), join(root, name))
    for (const name of ['node_modules', 'tools']) await symlink(join(projectRoot, name), join(root, name))
    for (const [path, source] of Object.entries(files)) {
      await mkdir(join(root, dirname(path)), { recursive: true })
      await writeFile(join(root, path), `${source}\n`)
    }
    const folders = [...new Set(Object.keys(files).map((path) => path.split('/')[0]!))]
    const output = await run(root, ['--format', 'json', ...folders])
    return (JSON.parse(output) as { diagnostics: Finding[] }).diagnostics.map((finding) => ({
      ...finding,
      filename: finding.filename.replaceAll(sep, '/'),
    }))
  } finally {
    await rm(root, { recursive: true })
  }
}

/** Ignores the exit code, which only reports that there are findings. */
function run(root: string, args: readonly string[]): Promise<string> {
  const program = join(projectRoot, 'node_modules/.bin/oxlint')
  return new Promise((resolve, reject) => {
    execFile(program, [...args], { cwd: root, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (stdout.startsWith('{')) resolve(stdout)
      else reject(new Error(`oxlint printed no findings: ${stdout}${stderr}`, { cause: error }))
    })
  })
}
