/** Variants of scenario `pipeline`: their processes, and how their reports are counted. */
import { fileURLToPath } from 'node:url'
import { getPublishing, startBareAccept } from './bare-accept.ts'
import type { BareWorkerSettings } from './bare/worker.ts'
import { createTables } from './bare/tables.ts'
import { routeId, type Gateway } from './gateway.ts'
import type { BenchEnvironment } from './environment.ts'
import type { Meter } from './meter.ts'
import type { BareName } from './rounds.ts'
import { startProgram } from './programs.ts'
import type { CleanupStack } from './cleanup-stack.ts'

export interface PipelineVariant {
  readonly port: number
  /**
   * Number of the last report, from one row or index entry. Rows with lower numbers can still be uncommitted.
   */
  lastReport(): Promise<number>
  /** Counts the committed report rows with a number above `last`. */
  countReports(last: number): Promise<number>
}

export interface VariantContext {
  readonly environment: BenchEnvironment
  readonly stack: CleanupStack
  readonly meter: Meter
  readonly smscPort: number
  readonly window: number
  readonly workers: number
  readonly owners: number
}

export interface OurVariant extends PipelineVariant {
  /** Addresses of the metrics of its processes. */
  readonly opsUrls: readonly string[]
}

export async function startOurs(context: VariantContext, gateway: Gateway): Promise<OurVariant> {
  const { environment, stack, meter, smscPort, window } = context
  const login = { systemId: 'postern', password: 'secret' }
  // The parameter is sent only if the operator has an origin code.
  const link = { host: '127.0.0.1', port: smscPort, ...login, window, originCidTag: 0x1401 }
  const route = ['--channels', 'sms', '--owners', String(context.owners), '--options', JSON.stringify(link)]
  await gateway.command('route', 'put', routeId, ...route)
  const workers = []
  for (let n = 0; n < context.workers; n++) workers.push(stack.use(await gateway.startWorker()))
  const api = stack.use(await gateway.startApi())
  meter.watch('gateway api', api.pid)
  meter.watch('gateway worker', ...workers.map(({ pid }) => pid))
  return {
    port: api.port,
    opsUrls: [api, ...workers].map(({ opsUrl }) => opsUrl),
    lastReport: () => selectNumber(environment, 'select coalesce(max(last_seq), 0) from report_sequences'),
    // Restricted to one account, so that the polling index answers it, however many reports are stored.
    countReports: (last) =>
      selectNumber(
        environment,
        `select count(*) from reports where account_id = (select id from accounts) and seq > ${last}`,
      ),
  }
}

export async function startBare(context: VariantContext, side: BareName): Promise<PipelineVariant> {
  const { environment, stack, meter, smscPort, window } = context
  const accepted = `${environment.queuePrefix}${side}-accepted`
  const receipts = `${environment.queuePrefix}${side}-receipts`
  await environment.declare(accepted)
  await environment.declare(receipts)
  await environment.database.query(createTables(side))
  const { brokerUrl, databaseUrl } = environment
  const settings: BareWorkerSettings = {
    brokerUrl,
    databaseUrl,
    accepted,
    receipts,
    smscPort,
    window,
    name: side,
    publishing: getPublishing(side),
  }
  const workers: { pid: number }[] = []
  for (let n = 0; n < context.workers; n++) {
    const program = await startProgram({
      name: `${side} worker`,
      args: [fileURLToPath(new URL('./bare/worker.ts', import.meta.url)), JSON.stringify(settings)],
      ready: (line) => (line['ready'] === 'bare pipeline' ? true : undefined),
    })
    workers.push(stack.use(program))
  }
  const accept = stack.use(await startBareAccept(brokerUrl, side, accepted))
  meter.watch(`${side} accept`, accept.pid)
  meter.watch(`${side} worker`, ...workers.map(({ pid }) => pid))
  return {
    port: accept.port,
    lastReport: () => selectNumber(environment, `select coalesce(max(id), 0) from ${side}.reports`),
    countReports: (last) =>
      selectNumber(environment, `select count(*) from ${side}.reports where id > ${last}`),
  }
}

async function selectNumber({ database }: BenchEnvironment, select: string): Promise<number> {
  const result = await database.query<{ number: number }>(`select (${select})::int as number`)
  return result.rows[0]!.number
}
