/** Checks that all files of a release state the version of its tag. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PreviousRelease } from './previous.ts'

export interface StatedVersion {
  readonly file: string
  readonly version: string | undefined
}

/** Returns the versions of the workspaces, and of the chart and its image. */
export function statedVersions(root: string): StatedVersion[] {
  const { workspaces } = readJson(join(root, 'package.json')) as { readonly workspaces: readonly string[] }
  const packages = workspaces
    .map((folder) => `${folder}/package.json`)
    .filter((file) => existsSync(join(root, file)))
    .map((file) => ({ file, version: (readJson(join(root, file)) as { version?: string }).version }))
  const chart = 'deploy/helm/postern/Chart.yaml'
  const text = readFileSync(join(root, chart), 'utf8')
  const stated = ['version', 'appVersion'].map((key) => ({
    file: `${chart} (${key})`,
    version: new RegExp(`^${key}: '?"?([^'"\\s]+)`, 'm').exec(text)?.[1],
  }))
  return [...packages, ...stated]
}

export function checkVersions(
  version: string,
  stated: readonly StatedVersion[],
  previous: Pick<PreviousRelease, 'version'>,
): string[] {
  const others = stated.filter((one) => one.version !== version)
  const findings = others.map(
    (one) => `${one.file}: expected version ${version}, got ${one.version ?? 'none'}`,
  )
  // Otherwise upgrade tests would start from this release itself.
  if (previous.version.localeCompare(version, 'en', { numeric: true }) >= 0)
    findings.push(`tools/release/previous.json: ${previous.version} must be earlier than ${version}`)
  return findings
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}
