/**
 * Everything that is done to the gateway while it works, one row a fault. A new fault is a new row; the runner
 * knows none of them by name.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { killService, restartService, startService, stopService } from '../../../scripts/services/index.ts'
import type { Stage } from './stage.ts'

export interface Fault {
  readonly name: string
  /** Part of the short run. */
  readonly short: boolean
  /** Nothing that accepting needs is hurt: every send must be answered A000 all the while. */
  readonly acceptsThroughout: boolean
  /**
   * Breaks something, and resolves at the moment from which messages must flow again: when the broken thing
   * is back, or at once where another process has to take over.
   */
  strike(stage: Stage): Promise<void>
  /** Puts back what is still missing; called when messages flow again. */
  mend?(stage: Stage): Promise<void>
}

const databaseAwayMs = 5_000
const takeOverMs = 45_000

async function killWorker(stage: Stage, which: 'owner' | 'other'): Promise<void> {
  const [worker] = which === 'owner' ? [await stage.owner()] : await stage.others()
  await worker!.kill()
}

function startMissing(stage: Stage): Promise<void> {
  for (const worker of stage.workers) if (!worker.running) worker.start()
  return Promise.resolve()
}

export const faults: readonly Fault[] = [
  {
    name: 'kill -9 of the api',
    short: true,
    acceptsThroughout: false,
    async strike({ api }) {
      await api.kill()
      api.start()
    },
  },
  {
    name: 'kill -9 of the worker that owns the route',
    short: true,
    acceptsThroughout: true,
    strike: (stage) => killWorker(stage, 'owner'),
    mend: startMissing,
  },
  {
    name: 'kill -9 of the other worker',
    short: true,
    acceptsThroughout: true,
    strike: (stage) => killWorker(stage, 'other'),
    mend: startMissing,
  },
  {
    name: 'restart of RabbitMQ',
    short: true,
    acceptsThroughout: false,
    strike: () => restartService('rabbitmq'),
  },
  {
    name: 'restart of PostgreSQL',
    short: true,
    acceptsThroughout: true,
    strike: () => restartService('postgres'),
  },
  {
    name: `PostgreSQL away for ${databaseAwayMs / 1000} s`,
    short: true,
    acceptsThroughout: true,
    async strike() {
      await stopService('postgres')
      await pause(databaseAwayMs)
      await startService('postgres')
    },
  },
  {
    name: 'kill -9 of RabbitMQ',
    short: false,
    acceptsThroughout: false,
    async strike() {
      await killService('rabbitmq')
      await startService('rabbitmq')
    },
  },
  {
    name: 'kill -9 of PostgreSQL',
    short: false,
    acceptsThroughout: true,
    async strike() {
      await killService('postgres')
      await startService('postgres')
    },
  },
  {
    name: 'SIGTERM of the worker that owns the route',
    short: false,
    acceptsThroughout: true,
    async strike(stage) {
      await (await stage.owner()).stop()
    },
    mend: startMissing,
  },
  {
    // Only silence tells the broker, so this takes two of its heartbeats where a dead process takes none.
    name: 'the worker that owns the route stands still',
    short: false,
    acceptsThroughout: true,
    async strike(stage) {
      const worker = await stage.owner()
      worker.freeze()
      await stage.owner(takeOverMs)
    },
    mend(stage) {
      for (const worker of stage.workers) worker.thaw()
      return Promise.resolve()
    },
  },
  {
    name: 'the carrier hangs up',
    short: false,
    acceptsThroughout: true,
    strike: ({ simulator }) => simulator.disconnect(),
  },
]
