/** Client of the load generator process. One process runs all jobs, so that its code stays compiled between them. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { LoadOutcome, LoadJob, LoadResult } from './job.ts'

export interface LoadGenerator {
  readonly pid: number
  run(job: LoadJob): Promise<LoadResult>
  stop(): Promise<void>
}

export function startLoadGenerator(): LoadGenerator {
  const child = fork(fileURLToPath(new URL('./main.ts', import.meta.url)), { stdio: 'inherit' })
  const exited = once(child, 'exit')
  const ended = exited.then(() => ({ failure: 'load generator exited' }))
  return {
    pid: child.pid!,
    async run(job) {
      const received = once(child, 'message').then(([message]) => message as LoadOutcome)
      child.send(job)
      const outcome: LoadOutcome = await Promise.race([received, ended])
      if ('failure' in outcome) throw new Error(outcome.failure)
      return outcome.result
    },
    async stop() {
      if (child.connected) child.disconnect()
      await exited
    },
  }
}
