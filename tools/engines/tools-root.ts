/**
 * A Debian 13 root folder, created once, with the programs that check the files of `deploy/` and are missing
 * from Debian 12: shellcheck, and etcd for the API server of Kubernetes.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installDebianPackagesAsRoot } from './apt.ts'
import { projectRoot } from './paths.ts'
import { print } from './print.ts'

const folder = '/var/tmp/postern-tools-debian13'
/** One program per package: a folder that lacks one was created by an earlier version of this file. */
const programs = { shellcheck: 'shellcheck', 'etcd-server': 'etcd' }

/** Returns the folder, for programs that keep running in it. */
export function toolsRoot(): string {
  ensureRoot()
  return folder
}

/**
 * Runs a program in a working directory with a copy of these files of the project. Throws its output if it
 * fails.
 */
export function runInToolsRoot(
  files: readonly string[],
  command: readonly string[],
  environment = {},
): string {
  const work = join(toolsRoot(), 'work')
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work)
  for (const file of files) cpSync(join(projectRoot, file), join(work, file), { recursive: true })
  return run('chroot', [folder, 'env', '--chdir=/work', ...command], environment)
}

export function run(program: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): string {
  try {
    return execFileSync(program, args, {
      cwd: projectRoot,
      encoding: 'utf8',
      env: { ...process.env, ...environment },
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  } catch (error) {
    const { stdout, stderr, message } = error as { stdout?: string; stderr?: string; message: string }
    throw new Error(`${message.split('\n')[0]!}\n${stdout ?? ''}${stderr ?? ''}`.trim(), { cause: error })
  }
}

function ensureRoot(): void {
  if (Object.values(programs).every((name) => existsSync(join(folder, 'usr/bin', name)))) return
  const packages = Object.keys(programs)
  print(`creating ${folder}: Debian 13 with ${packages.join(', ')}; once, about a minute`)
  if (!existsSync('/usr/bin/mmdebstrap')) installDebianPackagesAsRoot(['mmdebstrap'])
  const fresh = `${folder}.new`
  rmSync(fresh, { recursive: true, force: true })
  run('mmdebstrap', ['--variant=minbase', `--include=${packages.join(',')}`, 'trixie', fresh])
  rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, folder)
}
