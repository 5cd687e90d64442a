// `npm run suite -- artefacts [-- package image deb cluster]`: builds each published artefact, installs it
// where the repository is not visible, and sends a first message with it; then installs the chart on an API
// server of Kubernetes, upgrades it and rolls it back. The engines are those of the environment or the
// project's own (with-services.ts).

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installDeb } from './artefacts/deb.ts'
import { sendFirstMessage } from './artefacts/first-message.ts'
import { buildImage } from './artefacts/image.ts'
import type { InstalledArtefact } from './artefacts/installed.ts'
import { installPackages } from './artefacts/packages.ts'
import { checkCluster } from '../deploy/cluster.ts'
import { print, seconds } from '../engines/print.ts'

/** Each function builds an artefact in the given folder, uses it and returns a summary. */
const artefacts: Record<string, (folder: string) => Promise<string>> = {
  package: sendsWith('package', installPackages),
  image: sendsWith('image', buildImage),
  deb: sendsWith('deb', installDeb),
  cluster: checkCluster,
}

function sendsWith(
  name: string,
  install: (folder: string) => InstalledArtefact,
): (folder: string) => Promise<string> {
  return async (folder) => {
    const from = performance.now()
    print(`${name}: building and installing it`)
    const installed = install(folder)
    print(`${name}: installed (${seconds(from)})`)
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
    print(`${name}: ok, ${await check(folder)} (${seconds(from)})`)
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    failed += 1
    print(`${name}: FAILED: ${(error as Error).message}\nSee its files and logs in ${folder}`)
  }
}
print(`${chosen.length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
