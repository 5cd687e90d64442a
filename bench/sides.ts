/** The two sides of scenario `pipeline`: what is started for each side, and how its reports are counted. */
import { fileURLToPath } from 'node:url'
import { startBareAccept } from './accept.ts'
import type { BareWorkerSettings } from './bare/worker.ts'
import { createTables } from './bare/tables.ts'
import { routeId, type Gateway } from './gateway.ts'
import type { BenchEnvironment } from './environment.ts'
import type { Meter } from './meter.ts'
import { startProgram } from './programs.ts'
import type { CleanupStack } from './cleanup-stack.ts'

export interface PipelineSide {
  readonly port: number
  /** The last report's number: one row or one index entry is read. Rows with lower numbers may not be committed yet. */
  lastReport(): Promise<number>
  /** Report rows committed, counted one by one. */
  countReports(): Promise<number>
}

export interface SideContext {
  readonly environment: BenchEnvironment
  readonly stack: CleanupStack
  readonly meter: Meter
  readonly smscPort: number
  readonly window: number
  readonly workers: number
}

export async function startOurs(context: SideContext, gateway: Gateway): Promise<PipelineSide> {
  const { environment, stack, meter, smscPort, window } = context
  const link = { host: '127.0.0.1', port: smscPort, systemId: 'postern', password: 'secret', window }
  await gateway.command('route', 'put', routeId, '--channels', 'sms', '--options', JSON.stringify(link))
  const workers: { pid: number }[] = []
  for (let n = 0; n < context.workers; n++) workers.push(stack.use(await gateway.startWorker()))
  const api = stack.use(await gateway.startApi())
  meter.watch('gateway api', api.pid)
  meter.watch('gateway worker', ...workers.map(({ pid }) => pid))
  return {
    port: api.port,
    lastReport: () => figure(environment, 'select coalesce(max(last_seq), 0) from report_sequences'),
    countReports: () => figure(environment, 'select count(*) from reports'),
  }
}

export async function startBare(context: SideContext): Promise<PipelineSide> {
  const { environment, stack, meter, smscPort, window } = context
  const accepted = `${environment.queuePrefix}bare-accepted`
  const receipts = `${environment.queuePrefix}bare-receipts`
  await environment.declare(accepted)
  await environment.declare(receipts)
  await environment.database.query(createTables)
  const { brokerUrl, databaseUrl } = environment
  const settings: BareWorkerSettings = { brokerUrl, databaseUrl, accepted, receipts, smscPort, window }
  const workers: { pid: number }[] = []
  for (let n = 0; n < context.workers; n++) {
    const program = await startProgram({
      name: 'bare worker',
      args: [fileURLToPath(new URL('./bare/worker.ts', import.meta.url)), JSON.stringify(settings)],
      ready: (line) => (line['ready'] === 'bare pipeline' ? true : undefined),
    })
    workers.push(stack.use(program))
  }
  const accept = stack.use(await startBareAccept(brokerUrl, accepted))
  meter.watch('bare accept', accept.pid)
  meter.watch('bare worker', ...workers.map(({ pid }) => pid))
  return {
    port: accept.port,
    lastReport: () => figure(environment, 'select coalesce(max(id), 0) from bare.reports'),
    countReports: () => figure(environment, 'select count(*) from bare.reports'),
  }
}

async function figure({ database }: BenchEnvironment, select: string): Promise<number> {
  const result = await database.query<{ figure: number }>(`select (${select})::int as figure`)
  return result.rows[0]!.figure
}
