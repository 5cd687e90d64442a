/**
 * Writes the contents of a Linux package to a folder: in `lib/` Node itself, the gateway as JavaScript and
 * its packages in the versions of the lockfile; in `doc/` the licence and the readme; in `linux/` the units
 * and settings. Every file has the time of the commit, so that the same commit gives the same package.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, lutimesSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../engines/paths.ts'
import { stage } from './stage.ts'

export const architectures = ['amd64', 'arm64'] as const
export type Architecture = (typeof architectures)[number]
export const ownArchitecture: Architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'

export function stageLinux(folder: string, architecture: Architecture, seconds: number): void {
  const lib = join(folder, 'lib')
  stage('gateway', join(lib, 'gateway'))
  installDependencies(folder, lib)
  cpSync(nodeProgram(folder, architecture), join(lib, 'node'))
  chmodSync(join(lib, 'node'), 0o755)
  mkdirSync(join(folder, 'doc'))
  cpSync(join(projectRoot, 'LICENSE'), join(folder, 'doc/copyright'))
  cpSync(join(projectRoot, 'gateway/README.md'), join(folder, 'doc/README.md'))
  cpSync(join(projectRoot, 'deploy/linux'), join(folder, 'linux'), { recursive: true })
  cpSync(join(projectRoot, '.env.example'), join(folder, 'linux/postern.env'))
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lutimesSync(join(folder, path), seconds, seconds)
}

/**
 * Installs production dependencies of the lockfile. No package has native code, so one installation serves
 * every architecture.
 */
function installDependencies(folder: string, lib: string): void {
  const install = join(folder, 'install')
  for (const file of ['package.json', 'package-lock.json', '.npmrc', ...workspaces('package.json')])
    cpSync(join(projectRoot, file), join(install, file))
  npm(install, 'ci', '--omit=dev', '--omit=optional', '--workspace', 'gateway', '--ignore-scripts')
  const installed = join(install, 'node_modules')
  for (const surplus of ['.package-lock.json', '@postern', '.bin'])
    rmSync(join(installed, surplus), { recursive: true, force: true })
  cpSync(installed, join(lib, 'node_modules'), { recursive: true })
  rmSync(install, { recursive: true })
}

function workspaces(file: string): readonly string[] {
  return ['gateway', 'simulator', 'client', 'console'].map((workspace) => join(workspace, file))
}

/** Fetches Node in the version of the lockfile, whose checksum it must have. */
export function nodeProgram(folder: string, architecture: Architecture): string {
  const name = `node-linux-${architecture === 'amd64' ? 'x64' : architecture}`
  const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; integrity: string }>
  }
  const { version, integrity } = packages[`node_modules/${name}`]!
  const fetched = join(folder, 'node')
  mkdirSync(fetched, { recursive: true })
  npm(fetched, 'pack', `${name}@${version}`)
  const archive = join(fetched, `${name}-${version}.tgz`)
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (found !== integrity) throw new Error(`${name}@${version} differs from package-lock.json: ${found}`)
  execFileSync('tar', ['-xzf', archive, '-C', fetched, 'package/bin/node'])
  return join(fetched, 'package/bin/node')
}

function npm(cwd: string, ...args: readonly string[]): void {
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
