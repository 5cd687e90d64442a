/**
 * Writes the contents of a Linux package to a folder: in `lib/` Node itself, the gateway as JavaScript and
 * its packages in the versions of the lockfile; in `doc/` the licence and the readme; in `linux/` the units
 * and settings. Every file has the time of the commit, so that the same commit gives the same package.
 */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs'
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

/** Uses the Node of this machine; for another architecture fetches its npm package. */
export function nodeProgram(folder: string, architecture: Architecture): string {
  if (architecture === ownArchitecture) return realpathSync(process.execPath)
  const name = `node-linux-${architecture === 'amd64' ? 'x64' : architecture}`
  const { optionalDependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  const fetched = join(folder, 'node')
  mkdirSync(fetched)
  npm(
    fetched,
    'install',
    '--prefix',
    fetched,
    '--no-save',
    '--force',
    `${name}@${optionalDependencies[name]}`,
  )
  return join(fetched, 'node_modules', name, 'bin/node')
}

function npm(cwd: string, ...args: readonly string[]): void {
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
