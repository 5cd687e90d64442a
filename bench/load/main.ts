/** The load generator's process: runs one job at a time for its parent, and exits with it. */
import { drive } from './drive.ts'
import type { LoadAnswer, LoadJob } from './job.ts'

const answer = (what: LoadAnswer): void => void process.send!(what)

process.on('message', (job: LoadJob) => {
  drive(job).then(
    (result) => answer({ result }),
    (error: unknown) => answer({ failure: String(error) }),
  )
})
process.once('disconnect', () => process.exit(0))
