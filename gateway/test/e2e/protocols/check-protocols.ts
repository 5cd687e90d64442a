/** What must be true of the messages to the carriers over HTTP. Returns findings as sentences. */
import type { Report } from '../../support/processes/account-client.ts'
import type { Flow } from './flows.ts'
import type { ProtocolMessage } from './plan.ts'
import { smscName, type Carriers } from './start-carriers.ts'

/** A message that was sent, and the reports that it must have by their serviceType. */
export interface ExpectedReports {
  readonly ref: string
  readonly reports: Readonly<Record<string, Partial<Report>>>
}

export function expectedReports(
  messages: readonly ProtocolMessage[],
  flows: readonly Flow[],
): ExpectedReports[] {
  return [
    ...messages.map(({ ref, shape: { channel, msgType }, expected: { code: reportCode } }) => ({
      ...{ ref, reports: { [channel.toUpperCase()]: { msgType, reportCode, ref } } },
    })),
    ...flows.map(({ ref, reports }) => ({
      ref,
      reports: Object.fromEntries(reports.map(([name, reportCode]) => [name, { reportCode, ref }])),
    })),
  ]
}

/** Distinguishes the reports of the steps of a flow. */
export function reportKey({ msgKey, serviceType }: Pick<Report, 'msgKey' | 'serviceType'>): string {
  return `${msgKey} ${serviceType}`
}

/** `sent` by msgKey; `reports` by `reportKey`. */
export function checkProtocolReports(
  sent: ReadonlyMap<string, ExpectedReports>,
  reports: ReadonlyMap<string, Report>,
): string[] {
  const findings: string[] = []
  const left = new Map(reports)
  for (const [msgKey, { ref, reports: expected }] of sent)
    for (const [serviceType, values] of Object.entries(expected)) {
      const key = reportKey({ msgKey, serviceType })
      const report = left.get(key)
      left.delete(key)
      if (report === undefined) findings.push(`${ref} (${key}): no report`)
      else
        for (const [name, value] of Object.entries(values))
          if (report[name as keyof Report] !== value)
            findings.push(`${ref} (${key}): ${name} is ${report[name as keyof Report]}, not ${value}`)
    }
  for (const [key, { ref, reportCode }] of left)
    findings.push(`${ref} (${key}): a report with ${reportCode} that it must not have`)
  return findings
}

export interface AtCarriers {
  readonly messages: readonly ProtocolMessage[]
  readonly flows: readonly Flow[]
  readonly carriers: Carriers
}

/** Each carrier has accepted what it must, exactly once, and nothing else. */
export async function checkCarriers({ messages, flows, carriers }: AtCarriers): Promise<string[]> {
  const findings: string[] = []
  for (const [name, simulators] of [...carriers.http, [smscName, [carriers.smsc]] as const]) {
    const accepted = new Map<string, number>()
    for (const { to } of (await Promise.all(simulators.map((each) => each.submissions()))).flat())
      accepted.set(domestic(to), (accepted.get(domestic(to)) ?? 0) + 1)
    const own = messages.filter(({ protocol }) => protocol === name)
    const expected = new Map<string, number>([
      ...own.map(({ to, expected: { taken } }): [string, number] => [to, taken ? 1 : 0]),
      ...flows.map(({ to, taken }): [string, number] => [to, taken[name] ?? 0]),
    ])
    for (const [to, times] of expected)
      if ((accepted.get(to) ?? 0) !== times)
        findings.push(`${name} accepted ${accepted.get(to) ?? 0} messages to ${to}, not ${times}`)
    for (const to of accepted.keys())
      if (!expected.has(to)) findings.push(`${name} accepted a message to ${to} that was never sent`)

    const throttled =
      own.reduce((sum, message) => sum + message.expected.throttled, 0) +
      flows.reduce((sum, flow) => sum + (flow.throttled[name] ?? 0), 0)
    const counts = { throttled: 0, receiptsPending: 0 }
    for (const stats of await Promise.all(simulators.map((each) => each.stats()))) {
      counts.throttled += stats.throttled
      counts.receiptsPending += stats.receiptsPending
      if ('errors' in stats && stats.errors > 0)
        findings.push(`${name} has ${stats.errors} errors of its own`)
    }
    // More where one of several hosts is passed over and the next one throttles as well, and where a process that stood still sends a
    // burst. That each message was accepted once is checked above.
    if (counts.throttled < throttled)
      findings.push(`${name} throttled ${counts.throttled} times, not ${throttled} or more`)
    if (counts.receiptsPending > 0)
      findings.push(`${name} has ${counts.receiptsPending} receipts that were not acknowledged`)
  }
  return findings
}

/** Carriers show numbers in domestic form or with the country code. */
function domestic(number: string): string {
  return number.replace(/^\+?82/, '0')
}
