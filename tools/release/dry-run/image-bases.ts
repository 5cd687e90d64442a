/**
 * Builds stand-ins for the public base images, which are not available everywhere: one name for an image of
 * Debian 13 with Node for amd64 and one for arm64. Only the image of this machine's architecture has npm and
 * ran the scripts of its packages; no program of the other is run to build it.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { architectures, nodeProgram, ownArchitecture, type Architecture } from '../package/linux-stage.ts'
import { buildah, hasImage } from './buildah.ts'
import { debianFiles } from '../artefacts/debian-files.ts'

export const bases = 'localhost/postern-bases'

export function makeBases(): void {
  if (hasImage(bases)) return
  const images = architectures.map(makeBase)
  buildah('manifest', 'create', bases)
  for (const image of images) buildah('manifest', 'add', bases, image)
}

function makeBase(architecture: Architecture): string {
  const image = `localhost/postern-base-${architecture}`
  if (hasImage(image)) return image
  const container = buildah('from', 'scratch')
  const folder = mkdtempSync(join(tmpdir(), 'postern-base-'))
  try {
    buildah('add', container, debianFiles(architecture), '/')
    buildah('copy', '--chmod', '755', container, nodeProgram(folder, architecture), '/usr/local/bin/node')
    if (architecture === ownArchitecture) addNpm(container)
    buildah('config', '--arch', architecture, container)
    buildah('commit', container, image)
  } finally {
    buildah('rm', container)
    rmSync(folder, { recursive: true, force: true })
  }
  return image
}

/** Adds npm and the certificates that this machine trusts. */
function addNpm(container: string): void {
  const npm = dirname(dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())))
  const script = '/usr/local/lib/node_modules/npm/bin/npm-cli.js'
  buildah('copy', container, npm, '/usr/local/lib/node_modules/npm')
  buildah('run', '--isolation', 'chroot', container, '--', 'ln', '-s', script, '/usr/local/bin/npm')
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  if (certificates === undefined) return
  buildah('copy', container, certificates, '/etc/ssl/extra.pem')
  buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/etc/ssl/extra.pem', container)
}
