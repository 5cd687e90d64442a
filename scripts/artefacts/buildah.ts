/** Runs buildah, which builds images and runs programs in them without a daemon, also where containers cannot be started. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { installPackages } from '../services/apt.ts'

/** Storage without a kernel file system of layers, which root in a restricted machine may not mount. */
export const storage = 'STORAGE_DRIVER=vfs'

/** Returns what it prints. */
export function buildah(...args: readonly string[]): string {
  if (!existsSync('/usr/bin/buildah')) installPackages(['buildah'])
  const output = execFileSync('env', [storage, 'buildah', ...args], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return output.trim()
}

/** Whether an image or a list of images has this name. */
export function hasImage(name: string): boolean {
  return buildah('images', '--quiet', '--filter', `reference=${name}`) !== ''
}
