/**
 * The periodic maintenance of the tables and files. One worker at a time does most of it, as a duty; each
 * round tolerates another worker that does the same. Its cost depends on the changes since the last round,
 * not on the stored data. Deletions by age run only while the host's clock agrees with PostgreSQL's.
 */
import { eraseEndedCredentials } from '../identity/accounts/credential-queries.ts'
import { readTail } from '../identity/audit/queries.ts'
import { AuditWatch } from '../identity/audit/watch.ts'
import { removeExpired } from '../records/files/storage/removal.ts'
import type { FileStore } from '../records/files/storage/store.ts'
import { removeExpiredForms } from '../records/forms/queries.ts'
import { clock } from '../platform/time/clock.ts'
import type { Membership } from '../platform/membership/membership.ts'
import { every, everyHour, type Periodic } from '../platform/time/periodic.ts'
import { cancelAbandonedBatches } from '../records/batches/cancel-abandoned.ts'
import { eraseEndedBatches } from '../records/batches/erase.ts'
import { foldOutcomes } from '../records/batches/outcomes.ts'
import { removeOldBatches } from '../records/batches/remove.ts'
import { foldLedger, foldPastDays } from '../records/ledger/fold.ts'
import { startLedgerChecks } from '../records/ledger/check.ts'
import { removeBalanced, type GateHorizon } from '../records/ledger/gate.ts'
import { destroyPastKeys } from '../records/messages/destroy-keys.ts'
import { eraseClosed } from '../records/messages/erase.ts'
import { removeOldParked } from '../records/parked/queries.ts'
import { maintainPartitions } from '../records/partitions.ts'
import { inquiryLifetimeMs } from '../records/reports/http.ts'
import { pollingLifetimeMs } from '../records/reports/queries.ts'
import { maintainTraffic } from '../records/traffic/months.ts'
import { foldUsage } from '../records/usage/queries.ts'
import { VolumeWatch } from '../records/usage/volume-watch.ts'
import { createFindPeriodStart } from '../trust/abuse/caps.ts'
import { deleteOldCapCounts } from '../trust/abuse/cap-store.ts'
import { CapUseWatch } from '../trust/abuse/cap-use.ts'
import { toUtcDate, deleteOldConversions } from '../trust/abuse/conversions.ts'
import { deleteOldChoices } from '../trust/suppression/store.ts'
import { erasePreviousSecrets } from '../edge/webhooks/queries.ts'
import { encryptAndLog } from './prepare-secrets.ts'
import type { Runtime } from './runtime.ts'

/** Longer than a month, in every time zone. */
const keptCapCountsMs = 40 * 86_400_000

/** Longer than the two days that the rule covers. */
const keptConversionsMs = 8 * 86_400_000

function warnOfShortRetention(days: number, log: Runtime['log']): void {
  const isShorterThan = (lifetimeMs: number): boolean => days * 86_400_000 < lifetimeMs
  if (!isShorterThan(inquiryLifetimeMs)) return
  const polling = isShorterThan(pollingLifetimeMs) ? ', and reports that are not polled in time are lost' : ''
  log.warn(
    { days },
    `POSTERN_RETENTION_DAYS is shorter than the API promises; the inquiry does not find all reports of the last 30 days${polling}. Set it to at least 30`,
  )
}

export function startMaintenance(
  runtime: Pick<Runtime, 'config' | 'database' | 'encryption' | 'metrics' | 'log'>,
  membership: Pick<Membership, 'duty'>,
  { store, horizon }: { readonly store: FileStore; readonly horizon: Pick<GateHorizon, 'read'> },
): Periodic {
  const { config, database, metrics, log } = runtime
  warnOfShortRetention(config.retentionDays, log)
  const folding = membership.duty('folding')
  // A separate duty: a worker whose clock is wrong stops requesting it, loses it within a minute, and continues to
  // aggregate.
  const erasing = membership.duty('erasing')
  const dropping = membership.duty('dropping past days')
  const onFoldingDuty = (intervalMs: number, what: string, work: () => Promise<void>): Periodic =>
    every(intervalMs, what, log, async () => {
      if (await folding.hold()) await work()
    })
  const capUse = new CapUseWatch({
    database,
    metrics,
    log,
    findPeriodStart: createFindPeriodStart(config.timeZone),
  })
  const auditWatch = new AuditWatch({ database, metrics, log })
  const volumes = new VolumeWatch({ database, metrics, log, timeZone: config.timeZone })
  const periodics = [
    // Every worker adds partitions: a day must exist even if the holder of a duty is stopped. Only dropping
    // is a duty.
    everyHour(clock, 'maintaining partitions', log, async () => {
      const { unconfirmed } = await maintainPartitions(database, config.retentionDays, clock.date(), {
        canDrop: () => dropping.hold(),
      })
      if (unconfirmed.length > 0)
        log.error(
          { days: unconfirmed.length, first: unconfirmed[0], last: unconfirmed.at(-1) },
          "many days of messages are past retention, so none was dropped: PostgreSQL's clock is ahead, the retention was reduced, or no worker ran for days. Check the clock of the PostgreSQL host, then run `postern purge-expired`",
        )
      if (!clock.agrees || unconfirmed.length > 0) return
      const destroyed = await destroyPastKeys(database, config.retentionDays, clock.date())
      if (destroyed.length > 0) log.info({ days: destroyed }, 'destroyed the keys of messages past retention')
      await removeOldParked(database, clock.cutoff(config.retentionDays * 86_400_000))
    }),
    everyHour(clock, 'maintaining traffic records', log, async () => {
      if (clock.agrees && (await erasing.hold()))
        await maintainTraffic(database, config.trafficDays, clock.date())
    }),
    everyHour(clock, 'removing expired files and forms', log, async () => {
      if (!clock.agrees) return
      await removeExpired(database, store, clock.date())
      await removeExpiredForms(database, clock.date())
    }),
    everyHour(clock, 'removing old batches', log, async () => {
      if (!clock.agrees || !(await erasing.hold())) return
      await cancelAbandonedBatches(database, clock.date())
      await removeOldBatches(database, clock.cutoff(config.retentionDays * 86_400_000))
      await eraseEndedBatches(database, clock.date())
    }),
    every(10_000, 'erasing texts and recipients', log, async () => {
      if (clock.agrees && (await erasing.hold())) await eraseClosed(database, clock.date())
    }),
    every(60_000, 'erasing previous secrets of webhooks', log, async () => {
      if (clock.agrees && (await erasing.hold())) await erasePreviousSecrets(database, clock.date())
    }),
    every(60_000, 'erasing credentials that have ended', log, async () => {
      if (clock.agrees && (await erasing.hold())) await eraseEndedCredentials(database)
    }),
    everyHour(clock, 'removing choices of recipients that were taken back', log, async () => {
      if (clock.agrees && (await erasing.hold())) await deleteOldChoices(database, clock.date())
    }),
    onFoldingDuty(3_600_000, 'encrypting secrets', () => encryptAndLog(runtime)),
    // Written to a log that is kept elsewhere, which shows later whether rows were removed at the end.
    onFoldingDuty(3_600_000, 'logging the end of the audit log', async () => {
      log.info(await readTail(database), 'last row of the audit log, a checkpoint for `postern audit verify`')
    }),
    onFoldingDuty(30_000, 'folding the ledger', async () => {
      await foldLedger(database)
      await removeBalanced(database, config.retentionDays)
    }),
    onFoldingDuty(30_000, 'folding the outcomes of batches', () => foldOutcomes(database)),
    onFoldingDuty(30_000, 'folding the usage counts', () =>
      foldUsage(database, config.timeZone, config.paymentCodes),
    ),
    every(3_600_000, 'removing counts of past caps and codes', log, async () => {
      if (!clock.agrees || !(await erasing.hold())) return
      await deleteOldCapCounts(database, toUtcDate(clock.now() - keptCapCountsMs))
      await deleteOldConversions(database, toUtcDate(clock.now() - keptConversionsMs))
    }),
    every(60_000, 'reading the use of caps', log, async () => {
      if (await folding.hold()) await capUse.check()
      else capUse.reset()
    }),
    every(60_000, 'counting events of the audit log', log, async () => {
      if (await folding.hold()) await auditWatch.count()
      else auditWatch.stopWatching()
    }),
    // A separate task, because a verification can last for many minutes.
    every(60_000, 'verifying the audit log', log, async (signal) => {
      if (await folding.hold()) await auditWatch.verifyDaily(signal)
    }),
    every(600_000, 'comparing volumes with last week', log, async () => {
      if (await folding.hold()) await volumes.check()
      else volumes.reset()
    }),
    onFoldingDuty(600_000, 'folding past days of the ledger', () => foldPastDays(database)),
    startLedgerChecks({ database, metrics, log, horizon }),
  ]
  return {
    async stop() {
      await Promise.all(periodics.map((periodic) => periodic.stop()))
      await Promise.allSettled([folding, erasing, dropping].map((duty) => duty.release()))
    },
  }
}
