/**
 * Writes every file that a release publishes to a folder: npm packages, Linux packages, the chart, documents
 * of the API, the bill of materials, the notes and the checksums of all. The same commit gives the same bytes.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../engines/paths.ts'
import { print, formatElapsed } from '../engines/print.ts'
import { findSection } from './changelog.ts'
import { architectures } from './package/linux-stage.ts'

export const sums = 'SHA256SUMS'

export function buildFiles(version: string, out: string, repository?: string): void {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const steps: Readonly<Record<string, () => void>> = {
    'npm packages': () =>
      node(
        ...['--disable-warning=ExperimentalWarning', 'tools/release/package.ts', '--out', out],
        ...(repository === undefined ? [] : ['--repository', repository]),
      ),
    'Linux packages': () => {
      for (const architecture of architectures)
        node(
          ...['--disable-warning=ExperimentalWarning', 'tools/release/package-linux.ts'],
          ...['--out', out, '--arch', architecture],
        )
    },
    chart: () => archiveChart(join(out, `postern-${version}.tgz`)),
    'documents of the API': () => node('gateway/tools/openapi-documents.ts', out),
    'bill of materials': () => writeFileSync(join(out, 'postern.cdx.json'), node('tools/release/sbom.ts')),
    notes: () => writeFileSync(join(out, 'notes.md'), `${releaseNotes(version)}\n`),
  }
  for (const [name, build] of Object.entries(steps)) {
    const from = performance.now()
    build()
    print(`${name}: built (${formatElapsed(from)})`)
  }
  writeFileSync(
    join(out, sums),
    readdirSync(out)
      .toSorted()
      .map((name) => sumLine(out, name))
      .join(''),
  )
}

/** Returns a line as `sha256sum` prints it. */
export function sumLine(folder: string, name: string): string {
  return `${createHash('sha256')
    .update(readFileSync(join(folder, name)))
    .digest('hex')}  ${name}\n`
}

/** Time of the commit in seconds since 1970. */
export function commitTime(): string {
  return git('log', '-1', '--format=%ct')
}

export function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).trim()
}

/** `helm package` writes the current time into its archive; this one depends on the commit only. */
function archiveChart(file: string): void {
  const tar = [
    ...['--create', '--directory', 'deploy/helm', '--dereference', '--sort=name', '--format=ustar'],
    ...[
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--mode=u=rwX,go=rX',
      `--mtime=@${commitTime()}`,
      'postern',
    ],
  ]
  const options = { cwd: projectRoot, maxBuffer: 64 * 1024 * 1024 }
  const archive = execFileSync('tar', tar, options)
  writeFileSync(file, execFileSync('gzip', ['--no-name', '--best'], { ...options, input: archive }))
}

function releaseNotes(version: string): string {
  const changelog = readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8')
  return findSection(changelog, version) ?? `CHANGELOG.md has no section ${version}.`
}

function node(...args: readonly string[]): string {
  return execFileSync(process.execPath, args, {
    cwd: projectRoot,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
