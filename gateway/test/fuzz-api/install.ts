// Schemathesis in a virtual environment beside the services: every package of the version that requirements.txt gives.
// Installed when it is missing or when that file has changed.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { servicesDirectory, shortHash } from '../../../scripts/services/paths.ts'
import { print } from '../../../scripts/services/print.ts'

const requirementsFile = join(import.meta.dirname, 'requirements.txt')

export function schemathesisVersion(): string {
  return /^schemathesis==(.+)$/m.exec(readFileSync(requirementsFile, 'utf8'))?.[1] ?? 'unknown'
}

/** Path of the program. */
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
    // A partial installation would be taken for a complete one.
    rmSync(folder, { recursive: true, force: true })
    throw new Error('schemathesis could not be installed: Python 3.10 or later with venv is needed', {
      cause: error,
    })
  }
  return program
}
