/**
 * Checks a release out into a temporary folder, so that its processes can run next to those of this checkout.
 * Rejects a revision that cannot be upgraded to this one because it has other migrations.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../engines/paths.ts'
import { print } from '../engines/print.ts'
import { readPrevious } from './previous.ts'
import { sharesPackages, type Lock } from './shares-packages.ts'

export interface ReleaseCheckout {
  /** The version, or the requested revision. */
  readonly name: string
  readonly root: string
  remove(): void
}

const migrations = 'gateway/migrations'

/** Checks out the previous release unless `revision` is given. */
export function checkOutRelease(revision?: string): ReleaseCheckout {
  const previous = readPrevious()
  const commit = commitOf(revision ?? previous.revision)
  const name = revision ?? previous.version
  const root = mkdtempSync(join(tmpdir(), 'postern-release-'))
  const remove = (): void => rmSync(root, { recursive: true, force: true })
  try {
    const archive = git(['archive', '--format=tar', commit])
    execFileSync('tar', ['-x', '-C', root], { input: archive })
    refuseOtherMigrations(name, root)
    providePackages(root)
    return { name, root, remove }
  } catch (error) {
    remove()
    throw error
  }
}

function commitOf(revision: string): string {
  try {
    return git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`])
      .toString()
      .trim()
  } catch {
    throw new Error(`revision '${revision}' not found; in a shallow clone, run git fetch --unshallow --tags`)
  }
}

function refuseOtherMigrations(name: string, root: string): void {
  for (const file of readdirSync(join(root, migrations))) {
    const [before, now] = [root, projectRoot].map((folder) => read(join(folder, migrations, file)))
    if (before !== now)
      throw new Error(
        `cannot upgrade from ${name}: its migration ${file} is missing or different in this revision`,
      )
  }
}

/** Links the packages of this checkout if the lock files agree, because an installation takes a minute. */
function providePackages(root: string): void {
  const [then, now] = [root, projectRoot].map(
    (folder) => JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as Lock,
  ) as [Lock, Lock]
  if (sharesPackages(then, now)) {
    symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'))
    return
  }
  print(`installing the packages of ${root}`)
  execFileSync('npm', ['ci', '--omit=dev', '--omit=optional', '--ignore-scripts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function git(args: readonly string[]): Buffer {
  return execFileSync('git', args, {
    cwd: projectRoot,
    maxBuffer: 512 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}
