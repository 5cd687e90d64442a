import type { Report } from '../../support/processes/account-client.ts'
import type { PlannedFlow } from './flows.ts'
import type { ProtocolMessage } from './plan.ts'
import { smscName, type ProtocolCarriers } from './start-carriers.ts'

/** Sent message and its expected reports by serviceType. */
export interface ExpectedReports {
  readonly ref: string
  readonly reports: Readonly<Record<string, Partial<Report>>>
}

export function expectedReports(
  messages: readonly ProtocolMessage[],
  flows: readonly PlannedFlow[],
): ExpectedReports[] {
  return [
    ...messages.map(({ ref, shape: { channel, msgType }, expected: { code: reportCode } }) => ({
      ref,
      reports: { [channel.toUpperCase()]: { msgType, reportCode, ref } },
    })),
    ...flows.map(({ ref, reports }) => ({
      ref,
      reports: Object.fromEntries(reports.map(([name, reportCode]) => [name, { reportCode, ref }])),
    })),
  ]
}

/** Returns a key that is unique for each step of a flow. */
export function reportKey({ msgKey, serviceType }: Pick<Report, 'msgKey' | 'serviceType'>): string {
  return `${msgKey} ${serviceType}`
}

/** Compares reports with expectations and returns findings. `sent` is by msgKey, `reports` by `reportKey`. */
export function checkProtocolReports(
  sent: ReadonlyMap<string, ExpectedReports>,
  reports: ReadonlyMap<string, Report>,
): string[] {
  const findings: string[] = []
  const unexpected = new Map(reports)
  for (const [msgKey, { ref, reports: expected }] of sent)
    for (const [serviceType, values] of Object.entries(expected)) {
      const key = reportKey({ msgKey, serviceType })
      const report = unexpected.get(key)
      unexpected.delete(key)
      if (report === undefined) findings.push(`${ref} (${key}): no report`)
      else
        for (const [name, value] of Object.entries(values))
          if (report[name as keyof Report] !== value)
            findings.push(`${ref} (${key}): ${name} is ${report[name as keyof Report]}, not ${value}`)
    }
  for (const [key, { ref, reportCode }] of unexpected)
    findings.push(`${ref} (${key}): a report with ${reportCode} that it must not have`)
  return findings
}

export interface CarrierCheck {
  readonly messages: readonly ProtocolMessage[]
  readonly flows: readonly PlannedFlow[]
  readonly carriers: ProtocolCarriers
}

/**
 * Checks that each carrier accepted every message as often as expected and nothing else, throttled as often as expected
 * or more often, and has neither unacknowledged receipts nor internal errors.
 */
export async function checkCarriers({ messages, flows, carriers }: CarrierCheck): Promise<string[]> {
  const findings: string[] = []
  for (const [name, simulators] of [...carriers.http, [smscName, [carriers.smsc]] as const]) {
    const accepted = new Map<string, number>()
    for (const { to } of (await Promise.all(simulators.map((each) => each.submissions()))).flat())
      accepted.set(domestic(to), (accepted.get(domestic(to)) ?? 0) + 1)
    const ofProtocol = messages.filter(({ protocol }) => protocol === name)
    const expected = new Map<string, number>([
      ...ofProtocol.map(({ to, expected: { taken } }): [string, number] => [to, taken ? 1 : 0]),
      ...flows.map(({ to, taken }): [string, number] => [to, taken[name] ?? 0]),
    ])
    for (const [to, times] of expected)
      if ((accepted.get(to) ?? 0) !== times)
        findings.push(`${name} accepted ${accepted.get(to) ?? 0} messages to ${to}, not ${times}`)
    for (const to of accepted.keys())
      if (!expected.has(to)) findings.push(`${name} accepted an unknown message to ${to}`)

    const throttled =
      ofProtocol.reduce((sum, message) => sum + message.expected.throttled, 0) +
      flows.reduce((sum, flow) => sum + (flow.throttled[name] ?? 0), 0)
    const counts = { throttled: 0, receiptsPending: 0 }
    for (const stats of await Promise.all(simulators.map((each) => each.stats()))) {
      counts.throttled += stats.throttled
      counts.receiptsPending += stats.receiptsPending
      if ('errors' in stats && stats.errors > 0)
        findings.push(`${name} reported ${stats.errors} internal errors`)
    }
    // There can be more throttling responses: several hosts can throttle a message, and a delayed process
    // sends a burst.
    if (counts.throttled < throttled)
      findings.push(`${name} throttled ${counts.throttled} times, not ${throttled} or more`)
    if (counts.receiptsPending > 0)
      findings.push(`${name} has ${counts.receiptsPending} unacknowledged receipts`)
  }
  return findings
}

/** Normalizes a number, which carriers show in domestic form or with the country code. */
function domestic(number: string): string {
  return number.replace(/^\+?82/, '0')
}
