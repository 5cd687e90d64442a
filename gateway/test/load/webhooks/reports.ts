/** Writes reports as settle does, and starts a pusher with short intervals. */
import { inTransaction, type Database } from '../../../src/platform/database/database.ts'
import { createMsgKey } from '../../../src/contract/msg-key.ts'
import { createTimeFormat } from '../../../src/contract/times.ts'
import { insertReports, type NewReport } from '../../../src/records/reports/queries.ts'
import { createGuard } from '../../../src/edge/webhooks/guard.ts'
import { startPusher, type Pusher, type PusherOptions } from '../../../src/edge/webhooks/push/pusher.ts'
import { joinMembers } from '../../support/membership.ts'
import { silentLog, testMetrics } from '../../support/silent-log.ts'

export const loopbackGuard = createGuard({ allowedNetworks: ['127.0.0.0/8'], ports: [] })
export const formatTime = createTimeFormat('Asia/Seoul')

export function newReport(accountId: number, overrides: Partial<NewReport> = {}): NewReport {
  const now = new Date()
  return {
    msgKey: createMsgKey('00', now),
    step: 1,
    accountId,
    serviceType: 'SMS',
    msgType: 'SM',
    sentAt: now,
    reportedAt: now,
    reportCode: '10000',
    reportText: 'Delivered',
    carrier: '10001',
    parts: 1,
    ref: null,
    ...overrides,
  }
}

/** Returns the msgKeys. */
export async function writeReports(
  database: Database,
  accountId: number,
  count: number,
  overrides: Partial<NewReport> = {},
): Promise<string[]> {
  const reports = Array.from({ length: count }, () => newReport(accountId, overrides))
  await inTransaction(database, (transaction) => insertReports(transaction, reports))
  return reports.map(({ msgKey }) => msgKey)
}

export function startTestPusher(database: Database, overrides: Partial<PusherOptions> = {}): Pusher {
  return startPusher({
    database,
    membership: overrides.membership ?? joinMembers(database),
    guard: loopbackGuard,
    formatTime,
    scheduleMs: [40, 80, 120],
    disableAfterMs: 3_600_000,
    metrics: testMetrics(),
    log: silentLog,
    intervalsMs: { refresh: 20, fetch: 10, save: 15, drain: 500 },
    ...overrides,
  })
}
