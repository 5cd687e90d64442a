// `npm run suite -- artefacts [package deb]`: builds each published package, installs it where the repository
// is not visible, and sends a first message with it. The engines are those of the environment or the project's
// own (with-services.ts). `npm run suite -- deployments` does the same with the images.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installDeb } from './artefacts/deb.ts'
import { sendFirstMessage } from './artefacts/first-message.ts'
import type { InstalledArtefact } from './artefacts/installed.ts'
import { installPackages } from './artefacts/packages.ts'
import { print, formatElapsed } from '../engines/print.ts'

/** Each function builds an artefact in the given folder, uses it and returns a summary. */
const artefacts: Record<string, (folder: string) => Promise<string>> = {
  package: sendsWith('package', installPackages),
  deb: sendsWith('deb', installDeb),
}

function sendsWith(
  name: string,
  install: (folder: string) => InstalledArtefact,
): (folder: string) => Promise<string> {
  return async (folder) => {
    const from = performance.now()
    print(`${name}: building and installing it`)
    const installed = install(folder)
    print(`${name}: installed (${formatElapsed(from)})`)
    try {
      await sendFirstMessage(installed, folder, (line) => print(`${name}: ${line}`))
    } finally {
      installed.remove()
    }
    return 'a first message is sent and reported'
  }
}

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(artefacts)
let failed = 0
for (const name of chosen) {
  const check = artefacts[name]
  if (check === undefined)
    throw new Error(`artefact '${name}' not found; choose from ${Object.keys(artefacts).join(', ')}`)
  const from = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'postern-artefact-'))
  try {
    print(`${name}: ok, ${await check(folder)} (${formatElapsed(from)})`)
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    failed += 1
    print(`${name}: FAILED: ${(error as Error).message}\nSee its files and logs in ${folder}`)
  }
}
print(`${chosen.length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
