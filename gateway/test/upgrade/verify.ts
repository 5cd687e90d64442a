/** What must hold after the upgrade: every message ends once, as it must, and reached its carrier and its receiver once. */
import { readLedger } from '../support/processes/postern-command.ts'
import { query } from '../support/processes/scratch-database.ts'
import { withProgress } from '../support/progress.ts'
import { waitFor } from '../support/wait.ts'
import type { Prepared } from './prepare.ts'
import { collectReports, type Collected } from './reports.ts'
import type { Sender, Sent } from './sender.ts'
import { repeated } from './states.ts'
import type { UpgradedInstallation } from './upgraded-installation.ts'

export async function verify(
  installation: UpgradedInstallation,
  sender: Sender,
  prepared: Prepared,
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
  const collected = await collectReports(polled, expected.length)
  findings.push(...judgeReports(expected, collected))
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
    findings.push(`the ledger says ${JSON.stringify(ledger)}; ${sent.length} were accepted`)
  const left = await query(base.databaseUrl, 'select msg_key, stage, reason from parked')
  findings.push(...left.map((row) => `parked after the upgrade: ${JSON.stringify(row)}`))
  return findings
}

/** Which tell the recipients of this suite apart, however a number is written. */
function lastDigits(number: string): string {
  return number.slice(-8)
}

function judgeReports(expected: readonly Sent[], { codes, twice }: Collected): string[] {
  const findings = [...twice].map((msgKey) => `${msgKey} was reported in two batches`)
  for (const { msgKey, ref, state } of expected) {
    const found = codes.get(msgKey)?.join(' ') ?? 'no report'
    const right = state.codes.map((list) => list.join(' '))
    if (!right.includes(found))
      findings.push(`${ref} (${state.name}): ${found} instead of ${right.join(' or ')}`)
  }
  const known = new Set(expected.map(({ msgKey }) => msgKey))
  const unknown = [...codes.keys()].filter((msgKey) => !known.has(msgKey))
  return [...findings, ...unknown.map((msgKey) => `a report of ${msgKey}, which nobody sent`)]
}
