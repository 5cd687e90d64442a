/** Client of the load generator process. One process serves the whole run, so that its code is compiled. */
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
      const outcome = once(child, 'message').then(([answer]) => answer as LoadOutcome)
      child.send(job)
      const answer: LoadOutcome = await Promise.race([outcome, ended])
      if ('failure' in answer) throw new Error(answer.failure)
      return answer.result
    },
    async stop() {
      if (child.connected) child.disconnect()
      await exited
    },
  }
}
