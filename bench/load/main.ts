/** Load generator process: runs one job at a time for its parent, and exits with it. */
import { drive } from './drive.ts'
import type { LoadOutcome, LoadJob } from './job.ts'

const response = (message: LoadOutcome): void => void process.send!(message)

process.on('message', (job: LoadJob) => {
  drive(job).then(
    (result) => response({ result }),
    (error: unknown) => response({ failure: String(error) }),
  )
})
process.once('disconnect', () => process.exit(0))
