/** Workers as `postern worker list` prints them, over either way. Pure. */
import { table, timeText, type Result } from '../result.ts'

interface ShownWorker {
  readonly id: string
  readonly host: string
  readonly startedAt: Date | string
  readonly seenAt: Date | string
  readonly silentSeconds: number
  readonly state: string
  readonly partitions: readonly number[]
  readonly routes: number
}

const titles = ['worker', 'host', 'since', 'state', 'partitions', 'routes', 'last heartbeat']

export function workersResult(workers: readonly ShownWorker[]): Result {
  const rows = workers.map((worker) => [
    worker.id,
    worker.host,
    timeText(worker.startedAt),
    worker.state,
    String(worker.partitions.length),
    String(worker.routes),
    `${worker.silentSeconds} s ago`,
  ])
  const shown = workers.map(({ id, host, startedAt, seenAt, state, partitions, routes }) => ({
    ...{ id, host, startedAt, seenAt, state, partitions, routes },
  }))
  return { json: { workers: shown }, lines: table([titles, ...rows]) }
}
