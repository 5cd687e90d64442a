/**
 * Runs buildah, which builds images and runs programs in them without a daemon, even where containers cannot
 * be started.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { installDebianPackagesAsRoot } from '../../engines/apt.ts'

/** Storage without overlay mounts, which root in a restricted machine cannot create. */
export const storage = 'STORAGE_DRIVER=vfs'

/** Runs buildah and returns its output. */
export function buildah(...args: readonly string[]): string {
  if (!existsSync('/usr/bin/buildah')) installDebianPackagesAsRoot(['buildah'])
  const output = execFileSync('env', [storage, 'buildah', ...args], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return output.trim()
}

/** Reports whether an image or a list of images has this name. */
export function hasImage(name: string): boolean {
  return buildah('images', '--quiet', '--filter', `reference=${name}`) !== ''
}
