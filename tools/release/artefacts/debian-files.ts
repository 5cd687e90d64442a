/**
 * Archives the files of a fresh Debian 13 with the libraries that Node needs. Kept between runs, because it
 * takes a minute.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, renameSync } from 'node:fs'
import { installDebianPackagesAsRoot } from '../../engines/apt.ts'
import { ownArchitecture, type Architecture } from '../package/linux-stage.ts'
import { print } from '../../engines/print.ts'

export function debianFiles(architecture = ownArchitecture): string {
  const archive = `/var/tmp/postern-debian13-${architecture}.tar`
  if (!existsSync(archive)) {
    print(`creating the files of Debian 13 for ${architecture} (a minute, once)`)
    if (!existsSync('/usr/bin/mmdebstrap')) installDebianPackagesAsRoot(['mmdebstrap'])
    // Another run that begins at the same time must not use an incomplete archive.
    const options = ['--format=tar', ...packageOptions(architecture)]
    execFileSync('mmdebstrap', [...options, 'trixie', `${archive}.${process.pid}`], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    renameSync(`${archive}.${process.pid}`, archive)
  }
  return archive
}

/** Programs of another architecture cannot run here, so the scripts of the essential packages are skipped. */
function packageOptions(architecture: Architecture): readonly string[] {
  const libraries = 'ca-certificates,libstdc++6'
  return architecture === ownArchitecture
    ? ['--variant=minbase', `--include=${libraries}`]
    : ['--variant=extract', `--architectures=${architecture}`, `--include=base-files,libc6,${libraries}`]
}
