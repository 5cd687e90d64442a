// Installs schemathesis in a virtual environment next to the services, with the package versions of
// requirements.txt, if it is missing or that file has changed.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { servicesDirectory, shortHash } from '../../../../tools/engines/paths.ts'
import { print } from '../../../../tools/engines/print.ts'

const requirementsFile = join(import.meta.dirname, 'requirements.txt')

export function schemathesisVersion(): string {
  return /^schemathesis==(.+)$/m.exec(readFileSync(requirementsFile, 'utf8'))?.[1] ?? 'unknown'
}

/** Returns the path of the program. */
export function ensureSchemathesis(): string {
  const folder = join(
    servicesDirectory(),
    `schemathesis-${shortHash(readFileSync(requirementsFile, 'utf8'))}`,
  )
  const program = join(folder, 'bin/schemathesis')
  if (existsSync(program)) return program
  print(`installing schemathesis ${schemathesisVersion()} into ${folder}`)
  mkdirSync(servicesDirectory(), { recursive: true })
  try {
    execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' })
    const pip = join(folder, 'bin/pip')
    execFileSync(pip, ['install', '--quiet', '--disable-pip-version-check', '-r', requirementsFile], {
      stdio: 'inherit',
    })
  } catch (error) {
    // Remove a partial installation, which would look complete.
    rmSync(folder, { recursive: true, force: true })
    throw new Error('installing schemathesis failed; install Python 3.10 or later with venv', {
      cause: error,
    })
  }
  return program
}
