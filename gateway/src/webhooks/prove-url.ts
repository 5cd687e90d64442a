/**
 * Asks the receiver of a new URL to prove that it wants the pushes: it gets one signed sample report and must answer with
 * the msgKey in it, which no other server knows. A receiver that acknowledges reports by their msgKey needs no change.
 */
import { createMsgKey } from '../contract/msg-key.ts'
import { invalidField } from '../contract/problem.ts'
import { createTimeFormat } from '../contract/times.ts'
import { clock } from '../platform/clock.ts'
import { reportBody, testReport, withMilliseconds } from './body.ts'
import type { Guard } from './guard.ts'
import { openConnections } from './push.ts'
import { signedHeaders } from './sign.ts'

const timeoutMs = 5_000

/** Throws A851 without saying how the server failed: the request must not tell which hosts and ports respond. */
export async function proveUrl(guard: Guard, url: string, secret: string): Promise<void> {
  const now = clock.date()
  const report = testReport(createMsgKey('00', now), now)
  const settings = { partCounts: false, reportKeys: 'full' } as const
  const body = reportBody(report, withMilliseconds(createTimeFormat('UTC')), settings)
  const eventId = `challenge-${report.msgKey}`
  const headers = signedHeaders({ secret, previousSecret: null, previousUntil: null }, eventId, body, now)
  const connections = openConnections(guard, 1)
  try {
    const outcome = await connections.push({
      ...{ url, body, timeoutMs, msgKey: report.msgKey },
      headers: { ...headers },
    })
    if (outcome.kind === 'acknowledged') return
  } finally {
    connections.close()
  }
  throw invalidField(
    'A851',
    'url',
    'the receiver must answer the sample report that it just got with 200 and {"msgKey":"<msgKey of the report>"}; start it, then repeat the request',
  )
}
