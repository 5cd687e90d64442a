/**
 * Starts the image of the other architecture with QEMU's user-mode emulation, to check that its Node and
 * every module load.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ownArchitecture } from '../package/linux-stage.ts'
import { buildah } from './buildah.ts'

const tools = '/var/tmp/postern-tools'
const [otherArchitecture, emulator] =
  ownArchitecture === 'amd64'
    ? (['arm64', 'qemu-aarch64-static'] as const)
    : (['amd64', 'qemu-x86_64-static'] as const)

/** Runs a program of the image, much slower than its own machine would; returns its output. */
export function runEmulated(image: string, ...program: readonly string[]): string {
  const container = buildah('from', '--pull-never', '--platform', `linux/${otherArchitecture}`, image)
  try {
    // Copies into this container only: the image stays unchanged.
    buildah('copy', '--chmod', '755', container, emulatorProgram(), '/emulator')
    return buildah(
      'run',
      '--isolation',
      'chroot',
      '--user',
      '65532:65532',
      container,
      '--',
      '/emulator',
      ...program,
    )
  } finally {
    buildah('rm', container)
  }
}

/**
 * Extracts the emulator from its Debian package: installing the package would register the emulator for every
 * program of this machine.
 */
function emulatorProgram(): string {
  const program = join(tools, emulator)
  if (existsSync(program)) return program
  mkdirSync(tools, { recursive: true })
  const folder = mkdtempSync(join(tools, 'qemu-'))
  try {
    execFileSync('apt-get', ['download', 'qemu-user-static'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    execFileSync('dpkg-deb', ['--extract', join(folder, readdirSync(folder)[0]!), join(folder, 'files')])
    renameSync(join(folder, 'files/usr/bin', emulator), program)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return program
}
