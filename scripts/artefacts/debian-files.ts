/** The files of a fresh Debian 13 as an archive, with the libraries that Node needs. Kept between runs: it takes a minute to make. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { installPackages } from '../services/apt.ts'
import { print } from '../services/print.ts'

const archive = '/var/tmp/postern-image-base.tar'

export function debianFiles(): string {
  if (!existsSync(archive)) {
    print('making the files of Debian 13 (a minute, once)')
    if (!existsSync('/usr/bin/mmdebstrap')) installPackages(['mmdebstrap'])
    execFileSync('mmdebstrap', [
      '--variant=minbase',
      '--include=ca-certificates,libstdc++6',
      'trixie',
      archive,
    ])
  }
  return archive
}
