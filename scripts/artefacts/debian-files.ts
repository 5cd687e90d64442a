/** The files of a fresh Debian 13 as an archive, with the libraries that Node needs. Kept between runs: it takes a minute to make. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { installPackages } from '../services/apt.ts'
import { ownArchitecture, type Architecture } from '../package/linux-stage.ts'
import { print } from '../services/print.ts'

export function debianFiles(architecture = ownArchitecture): string {
  const archive = `/var/tmp/postern-debian13-${architecture}.tar`
  if (!existsSync(archive)) {
    print(`making the files of Debian 13 for ${architecture} (a minute, once)`)
    if (!existsSync('/usr/bin/mmdebstrap')) installPackages(['mmdebstrap'])
    execFileSync('mmdebstrap', [...options(architecture), 'trixie', archive], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  }
  return archive
}

/** Programs of another architecture cannot be run here, and with them the scripts of the essential packages: those are left out. */
function options(architecture: Architecture): readonly string[] {
  const libraries = 'ca-certificates,libstdc++6'
  return architecture === ownArchitecture
    ? ['--variant=minbase', `--include=${libraries}`]
    : ['--variant=extract', `--architectures=${architecture}`, `--include=base-files,libc6,${libraries}`]
}
