/** Load generator process: runs one job at a time for its parent, and exits with it. */
import { drive } from './drive.ts'
import type { LoadOutcome, LoadJob } from './job.ts'

const sendOutcome = (outcome: LoadOutcome): void => void process.send!(outcome)

process.on('message', (job: LoadJob) => {
  drive(job).then(
    (result) => sendOutcome({ result }),
    (error: unknown) => sendOutcome({ failure: String(error) }),
  )
})
process.once('disconnect', () => process.exit(0))
