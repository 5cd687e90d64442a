/**
 * The connection pools of the stages of a worker. Intake and settle have their own connections, so that
 * neither waits for a connection of the shared pool or of the other. The worker role opens and closes them.
 */
import { intakeConnections } from '../pipeline/intake/intake.ts'
import { settleConnections } from '../pipeline/settle/settle.ts'
import { openDatabase, type Database } from '../platform/database/database.ts'
import type { Log } from '../platform/logging/log.ts'
import type { Metrics } from '../platform/metrics.ts'

/** The deadlines, the retries of orphaned receipts and the sweep of the outbox use one connection each. */
const periodicTasks = 3

const maintenanceConnections = 4

export interface StageDatabases {
  readonly intake: Database
  /** Serves settle, the deadlines, the retries of orphaned receipts and the outbox. */
  readonly settle: Database
  /** For periodic work on whole tables, which the planner plans freely. */
  readonly maintenance: Database
  close(): Promise<void>
}

export function openStageDatabases(url: string, log: Log, metrics: Metrics): StageDatabases {
  const onStatement = (statement: string): void => metrics.statements.inc({ statement })
  const hot = { onlyIndexPlans: true, onStatement }
  const intake = openDatabase(url, log, { connections: intakeConnections, ...hot })
  const settle = openDatabase(url, log, { connections: settleConnections + periodicTasks, ...hot })
  const maintenance = openDatabase(url, log, { connections: maintenanceConnections, onStatement })
  return {
    intake,
    settle,
    maintenance,
    async close() {
      await Promise.all([intake, settle, maintenance].map((pool) => pool.end()))
    },
  }
}
