/** Starts the flooding account in a thread. In that thread, runs it. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { AccountClient, type Credentials } from '../../support/processes/account-client.ts'
import { BurstLoad, type BurstCounts, type BurstResult } from './burst-load.ts'

export interface BurstOptions {
  readonly urls: readonly string[]
  readonly credentials: Credentials
  /** Requests in progress or waiting for their `Retry-After`. */
  readonly outstanding: number
  /** Requests carry an Idempotency-Key. */
  readonly idempotent?: boolean
  /** Fraction of its `Retry-After` that a rejected request waits; defaults to 1. */
  readonly waitFraction?: number
}

export interface RunningBurst {
  readonly counts: BurstCounts
  readonly done: Promise<BurstResult>
  /** Sends no new requests. */
  stop(): void
}

type Report = { readonly counts: BurstCounts } | { readonly result: BurstResult }

const reportEveryMs = 250
const connectionsPerApi = 64

export function startBurst(options: BurstOptions): RunningBurst {
  const worker = new Worker(new URL(import.meta.url), { workerData: options })
  const done = Promise.withResolvers<BurstResult>()
  let counts: BurstCounts = { accepted: 0, refused: 0, begun: 0 }
  worker.on('message', (report: Report) => {
    if ('counts' in report) counts = report.counts
    else done.resolve(report.result)
  })
  worker.on('error', done.reject)
  return {
    get counts() {
      return counts
    },
    done: done.promise,
    stop: () => worker.postMessage('stop'),
  }
}

if (!isMainThread && parentPort !== null) await runThread(parentPort, workerData as BurstOptions)

async function runThread(port: NonNullable<typeof parentPort>, options: BurstOptions): Promise<void> {
  const { urls, credentials, outstanding } = options
  const clients = urls.map(
    (url) => new AccountClient(url, credentials, { connections: connectionsPerApi, timeoutMs: 30_000 }),
  )
  for (const client of clients) await client.login()
  const load = new BurstLoad(clients, options.idempotent, options.waitFraction)
  port.once('message', () => load.stop())
  const timer = setInterval(() => port.postMessage({ counts: load.counts } satisfies Report), reportEveryMs)
  const result = await load.run(outstanding)
  clearInterval(timer)
  for (const client of clients) client.close()
  port.postMessage({ result } satisfies Report)
}
