// The engines of `--engines today` and `--engines next`: those of a newer Debian, in a root folder that
// mmdebstrap creates once and all checkouts share. Every program of a set enters it by chroot, in its own
// mount namespace: /proc, /dev (with its shm), /sys, the folder of the set, the checkout and the temporary
// files are mounted there and disappear with the process, so nothing stays mounted after a stop, a kill or a
// crash.

import { spawn } from 'node:child_process'
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import { installDebianPackagesAsRoot } from './apt.ts'
import { locked } from './lock.ts'
import { isRoot, projectRoot, servicesDirectory } from './paths.ts'
import { print, formatElapsed } from './print.ts'
import { chosenRelease, debianRoot, type DebianRoot } from './releases.ts'

/** The last package is for tests that move an engine's clock. */
const packages = ['rabbitmq-server', 'erlang-base', 'valkey-server', 'haproxy', 'libfaketime']

/**
 * Removes files of the packages that these scripts never use: Debian's own PostgreSQL cluster and indexes of
 * apt.
 */
const removeUnused = 'rm -rf "$1"/var/lib/postgresql/* "$1"/var/cache/apt/*.bin "$1"/var/lib/apt/lists/*'

function rootFolder({ suite }: DebianRoot): string {
  return `/var/tmp/postern-engines-${suite}`
}

/** Returns the path of an engine file as this script sees it. */
export function inEngineRoot(path: string): string {
  const root = debianRoot()
  return root === undefined ? path : rootFolder(root) + path
}

export async function ensureEngineRoot(): Promise<void> {
  const root = debianRoot()
  if (root === undefined || existsSync(rootFolder(root))) return
  if (!isRoot) {
    throw new Error(
      `--engines ${chosenRelease()} runs its engines in a chroot, which needs root.\n` +
        '  Run the command as root, or without --engines, or set POSTERN_DATABASE_URL, POSTERN_BROKER_URLS and\n' +
        '  POSTERN_REDIS_URL to engines of these versions.',
    )
  }
  if (!existsSync('/usr/bin/mmdebstrap')) installDebianPackagesAsRoot(['mmdebstrap'])
  await locked(() => makeRoot(root), rootFolder(root))
}

async function makeRoot(root: DebianRoot): Promise<void> {
  const folder = rootFolder(root)
  if (existsSync(folder)) return
  const since = performance.now()
  const fresh = `${folder}.new`
  const log = `${folder}.log`
  rmSync(fresh, { recursive: true, force: true })
  print(`creating ${folder}: ${root.engines}; once, about a minute`)
  const included = [root.postgresPackage, ...packages].join(',')
  const args = ['--variant=apt', `--include=${included}`, `--customize-hook=${removeUnused}`]
  if (root.isTesting) args.push('--aptopt=Acquire::Check-Valid-Until "false"')
  const code = await runLogged('mmdebstrap', [...args, root.suite, fresh], log)
  if (code !== 0) {
    rmSync(fresh, { recursive: true, force: true })
    throw new Error(
      `mmdebstrap exited with ${code}; see ${log}.\n` +
        '  It downloads from http://deb.debian.org: check the network and the space in /var/tmp (700 MB), then run the command again.',
    )
  }
  renameSync(fresh, folder)
  print(`created ${folder} (${formatElapsed(since)})`)
}

/** Prints lines that begin a step; logs all lines. */
function runLogged(command: string, args: readonly string[], log: string): Promise<number> {
  const file = createWriteStream(log)
  const child = spawn(command, args, { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      file.write(`${line}\n`)
      if (line.startsWith('I: ')) print(`  ${line.slice(3)}`)
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => file.end(() => resolve(code ?? 1)))
  })
}

/** `exec` keeps the pid of the started process, so that signals reach the engine itself. */
const enter = `set -e
root=$1; user=$2; shift 2
for name in proc dev sys; do /bin/mount --rbind "/$name" "$root/$name"; done
while [ "$1" != -- ]; do
  mkdir -p "$root$1"
  /bin/mount --bind "$1" "$root$1"
  shift
done
shift
exec /usr/sbin/chroot --userspec="$user" "$root" "$@"`

/** Folders that engines read and write; tests keep the data of their engines in the temporary folder. */
const sharedFolders = (): string[] => [tmpdir(), projectRoot, servicesDirectory()]

export interface EngineProgram {
  readonly command: string
  readonly args: readonly string[]
  /** Defaults to the environment of this process. */
  readonly env?: NodeJS.ProcessEnv | undefined
  readonly account?: { readonly uid: number; readonly gid: number } | undefined
}

/**
 * Returns the program as it must be started: inside the root of the engines if there is one, otherwise
 * unchanged.
 */
export function toEngineRoot(program: EngineProgram): EngineProgram {
  const root = debianRoot()
  if (root === undefined) return program
  const { uid, gid } = program.account ?? { uid: 0, gid: 0 }
  const { LD_PRELOAD: library, ...env } = program.env ?? process.env
  // The preloaded library is only for the engine: programs outside the root do not find it.
  const preload = library === undefined ? [] : ['/usr/bin/env', `LD_PRELOAD=${library}`]
  const position = [rootFolder(root), `${uid}:${gid}`, ...sharedFolders(), '--']
  return {
    command: '/usr/bin/unshare',
    args: [
      '--mount',
      '/bin/sh',
      '-c',
      enter,
      'sh',
      ...position,
      ...preload,
      program.command,
      ...program.args,
    ],
    env,
  }
}
