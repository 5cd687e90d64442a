/**
 * Runs attack files: starts a real API process, or uses an installation that runs already, adds an account,
 * collects findings as sentences, and cleans up.
 */
import { AccountClient } from '../support/processes/account-client.ts'
import { createAccount, type Environment } from '../support/processes/postern-command.ts'
import { TestInstallation } from '../support/processes/test-installation.ts'
import {
  openRunningInstallation,
  type AttackedProcess,
  type AttackInstallation,
  type RunningTarget,
} from './running-installation.ts'

export interface AttackTarget {
  readonly installation: AttackInstallation
  readonly api: AttackedProcess
  readonly url: string
  /** A logged-in client without rate limits. */
  readonly attacker: AccountClient
  readonly wrong: (finding: string) => void
  readonly report: (figure: string) => void
}

/**
 * Opens an installation with the settings of compose.yaml: a defence must not depend on settings that nobody
 * ships.
 */
export function openShippedInstallation(settings: Environment = {}): Promise<TestInstallation> {
  return TestInstallation.open(settings, {}, { shipped: true })
}

/** Opens the installation of POSTERN_ATTACK_TARGET, which runs already, or one of this test. */
export function openAttackedInstallation(settings: Environment = {}): Promise<AttackInstallation> {
  const target = process.env.POSTERN_ATTACK_TARGET
  if (target === undefined) return openShippedInstallation(settings)
  return openRunningInstallation(JSON.parse(target) as RunningTarget)
}

/**
 * Runs one attack; the process exits with 1 if it found anything. `settings` are POSTERN_ variables of the
 * API.
 */
export async function runTargetAttack(
  settings: Environment,
  run: (target: AttackTarget) => Promise<void>,
): Promise<void> {
  const findings: string[] = []
  const installation = await openAttackedInstallation(settings)
  try {
    const api = await installation.startGateway('api', 'api')
    const credentials = await createAccount(installation.environment, 'attacker')
    await api.untilReady()
    const attacker = new AccountClient(api.url, credentials, { connections: 32, address: '203.0.113.66' })
    await attacker.login()
    await run({
      installation,
      api,
      url: api.url,
      attacker,
      wrong: (finding) => void findings.push(finding),
      report: (figure) => process.stdout.write(`${figure}\n`),
    })
  } catch (error) {
    findings.push((error as Error).stack ?? String(error))
  }
  findings.push(...installation.unexpectedExits)
  await installation.close(findings.length > 0)
  for (const finding of findings) process.stdout.write(`WRONG ${finding}\n`)
  process.exitCode = findings.length === 0 ? 0 : 1
}
