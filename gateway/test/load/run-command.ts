/**
 * Runs a command of this folder: always closes its resources, reports an error like any other finding, and
 * prints the result as the last line.
 */
import { openEnduranceInstallation, type EnduranceInstallation } from './endurance-installation.ts'
import { printResult, printProgress } from '../support/measure/progress.ts'

/** Findings as sentences; empty if there are none. */
type Findings = Promise<readonly string[]>

export async function runCommand(command: string, work: () => Findings): Promise<void> {
  printResult(command, await findingsOf(work))
}

/** Runs a command with an installation, whose processes must stop on SIGTERM. */
export function runWithInstallation(
  command: string,
  work: (installation: EnduranceInstallation) => Findings,
  open = () => openEnduranceInstallation(),
): Promise<void> {
  return runCommand(command, async () => {
    printProgress('starting two APIs, two workers and a simulated carrier')
    const installation = await open()
    printProgress(`logs in ${installation.base.directory}`)
    const findings = await findingsOf(() => work(installation))
    await installation.poller.stop()
    const late = await installation.close(findings.length > 0)
    return [...findings, ...late.map((name) => `${name} did not stop on SIGTERM`)]
  })
}

async function findingsOf(work: () => Findings): Findings {
  try {
    return await work()
  } catch (error) {
    return [(error as Error).stack ?? String(error)]
  }
}
