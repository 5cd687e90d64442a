import { isDeepStrictEqual } from 'node:util'
import type { AccountClient, Report } from '../support/processes/account-client.ts'
import { inParallel } from '../support/parallel.ts'
import type { PlannedMessage } from './plan.ts'

export type SentMessages = ReadonlyMap<string, PlannedMessage>

const zonedTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+09:00$/

const services = {
  sms: { serviceType: 'SMS', msgType: 'SM' },
  international: { serviceType: 'INTERNATIONAL', msgType: 'IM' },
} as const

/** Compares received with expected reports and returns findings. `sent` is by msgKey. */
export function checkReports(sent: SentMessages, reports: ReadonlyMap<string, Report>): string[] {
  const findings: string[] = []
  for (const [msgKey, message] of sent) {
    const report = reports.get(msgKey)
    if (report === undefined) findings.push(`${describePlannedMessage(message, msgKey)}: no report`)
    else
      findings.push(
        ...differences(message, report).map((text) => `${describePlannedMessage(message, msgKey)}: ${text}`),
      )
  }
  for (const msgKey of reports.keys()) {
    if (!sent.has(msgKey)) findings.push(`report of unknown message ${msgKey}`)
  }
  return findings
}

function differences(message: PlannedMessage, report: Report): string[] {
  const expected: Partial<Report> = {
    ...services[message.channel],
    reportCode: message.code,
    reportType: '0',
    ...(message.channel === 'international' ? { resCnt: String(message.parts) } : {}),
    ref: message.ref,
  }
  const found = (Object.keys(expected) as (keyof Report)[])
    .filter((key) => report[key] !== expected[key])
    .map((key) => `${key} is ${report[key] ?? 'absent'}, not ${expected[key] ?? ''}`)
  for (const key of ['sendTime', 'reportTime'] as const) {
    if (!zonedTime.test(report[key])) found.push(`${key} is ${report[key]}`)
  }
  if (report.sendTime > report.reportTime) {
    found.push(`sent at ${report.sendTime}, after it was reported at ${report.reportTime}`)
  }
  if (report.reportText === '') found.push('an empty reportText')
  return found
}

/** Checks that inquiry returns the same report as polling for every message. */
export async function checkInquiry(
  client: AccountClient,
  reports: ReadonlyMap<string, Report>,
): Promise<string[]> {
  const findings: string[] = []
  await inParallel([...reports.values()], 32, async (report) => {
    const { body } = await client.inquire(report.msgKey)
    if (!isDeepStrictEqual(body.data?.report, [report])) {
      findings.push(
        `inquiry for ${report.msgKey} returned ${JSON.stringify(body)}, polling ${JSON.stringify(report)}`,
      )
    }
  })
  return findings
}

export function describePlannedMessage(message: PlannedMessage, msgKey: string): string {
  return `${message.ref} (${message.channel}, …${message.expectation.ending}, ${message.parts} part(s), ${msgKey})`
}
