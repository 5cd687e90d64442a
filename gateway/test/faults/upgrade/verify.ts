import { readLedger } from '../../support/processes/postern-command.ts'
import { query } from '../../support/processes/scratch-database.ts'
import { withProgress } from '../../support/measure/progress.ts'
import { waitFor } from '../../support/wait.ts'
import type { PreparedState } from './prepare.ts'
import { collectUpgradeReports, type CollectedReports } from './reports.ts'
import type { StateSender, SentState } from './sender.ts'
import { repeated } from './states.ts'
import type { UpgradedInstallation } from './upgraded-installation.ts'

/** Checks that every message ended once with the expected result and reached its carrier and receiver once. */
export async function verifyUpgrade(
  installation: UpgradedInstallation,
  sender: StateSender,
  prepared: PreparedState,
): Promise<string[]> {
  const { base, carrier, receiver, polled } = installation
  const { sent } = sender
  const findings = await sender.repeat(repeated)
  const again = (await polled.poll()).body.data
  if (again?.reportId !== prepared.reportId)
    findings.push(
      `the batch that was not acknowledged is ${prepared.reportId}, but polling gives ${again?.reportId}`,
    )

  const pushed = sent.filter(({ state }) => state.pushed)
  const expected = sent.filter(({ state }) => !state.pushed)
  const collected = await collectUpgradeReports(polled, expected.length)
  findings.push(...checkReports(expected, collected))
  const pushing = waitFor(
    'every push to be acknowledged',
    () => receiver.acknowledged.size === pushed.length,
    { timeoutMs: 30_000 },
  ).catch(() => undefined)
  await withProgress(pushing, () => `${receiver.acknowledged.size} of ${pushed.length} were pushed`)
  for (const { msgKey, ref } of pushed) {
    const times = receiver.acknowledged.get(msgKey) ?? 0
    if (times !== 1) findings.push(`the report of ${ref} was pushed and acknowledged ${times} times`)
  }

  const recipients = (await carrier.submissions()).map((submission) => lastDigits(submission.to))
  for (const { ref, to, state } of sent) {
    const times = recipients.filter((digits) => digits === lastDigits(to)).length
    if (times !== (state.skipsCarrier ? 0 : 1))
      findings.push(`${ref} (${state.name}) reached the carrier ${times} times`)
  }
  const ledger = await readLedger(base.environment)
  if (ledger.gap !== 0 || ledger.inFlight !== 0 || ledger.accepted !== sent.length)
    findings.push(`unexpected ledger ${JSON.stringify(ledger)}; ${sent.length} were accepted`)
  const left = await query(base.databaseUrl, 'select msg_key, stage, reason from parked')
  findings.push(...left.map((row) => `parked after the upgrade: ${JSON.stringify(row)}`))
  return findings
}

/** Returns the digits that identify a recipient in any number format. */
function lastDigits(number: string): string {
  return number.slice(-8)
}

function checkReports(expected: readonly SentState[], { codes, twice }: CollectedReports): string[] {
  const findings = [...twice].map((msgKey) => `${msgKey} was reported in two batches`)
  for (const { msgKey, ref, state } of expected) {
    const found = codes.get(msgKey)?.join(' ') ?? 'no report'
    const right = state.codes.map((list) => list.join(' '))
    if (!right.includes(found))
      findings.push(`${ref} (${state.name}): got ${found}, expected ${right.join(' or ')}`)
  }
  const expectedKeys = new Set(expected.map(({ msgKey }) => msgKey))
  const unknown = [...codes.keys()].filter((msgKey) => !expectedKeys.has(msgKey))
  return [...findings, ...unknown.map((msgKey) => `report of unknown message ${msgKey}`)]
}
