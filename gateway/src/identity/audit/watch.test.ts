import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAuditContext } from '../../../test/support/audit-context.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createMemoryLog } from '../../../test/support/memory-log.ts'
import { sumCounter, testMetrics } from '../../../test/support/silent-log.ts'
import { appendAudit, securityEvents } from './queries.ts'
import { AuditWatch } from './watch.ts'

const { database } = await createTestDatabase()
const metrics = testMetrics()
const { log, lines } = createMemoryLog()
const watch = new AuditWatch({ database, metrics, log })
const auditContext = createTestAuditContext('kim')
const append = (
  result: 'refused' | 'looked' | 'done',
  target: string,
  role = auditContext.role,
): Promise<void> =>
  appendAudit(database, { ...auditContext, role }, { action: 'message show', result, target })
const counts = (): Promise<number[]> =>
  Promise.all(securityEvents.map((event) => sumCounter(metrics.auditEvents, { event })))

test('security events are counted once, from the first round on', async () => {
  await append('refused', 'sign-in')
  await watch.count()
  assert.deepEqual(await counts(), [0, 0, 0, 0])
  await append('refused', 'sign-in')
  for (const right of ['routes', 'trust']) await append('refused', right)
  for (const role of ['support', 'client', 'admin', 'admin'] as const) await append('looked', 'x', role)
  await append('done', 'x')
  for (const hosts of [[], ['203.0.113.7'], { from: ['a'], to: ['b'] }])
    await appendAudit(database, auditContext, {
      action: 'route put',
      result: 'done',
      target: 'r',
      details: { hosts },
    })
  for (let round = 0; round < 2; round += 1) await watch.count()
  assert.deepEqual(await counts(), [1, 2, 3, 2])
})

test('the log is verified once per day, and a changed row is reported', async (context) => {
  let days = 0
  const real = performance.now.bind(performance)
  context.mock.method(performance, 'now', () => real() + days * 86_400_000)
  await watch.verifyDaily()
  assert.ok((await metrics.auditVerified.get()).values[0]!.value > 0)
  await database.query('alter table audit_log disable trigger all')
  await database.query(`update audit_log set reason = 'other' where seq = 3`)
  await watch.verifyDaily()
  assert.equal((await metrics.auditBroken.get()).values[0]!.value, 0)
  days = 1
  await watch.verifyDaily()
  assert.equal((await metrics.auditBroken.get()).values[0]!.value, 1)
  assert.match(lines.at(-1)!, /row 3 was changed.*tampered with/)
})
