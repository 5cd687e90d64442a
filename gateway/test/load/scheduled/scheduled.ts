/**
 * `npm run suite -- scheduled`: measures the cost of scheduled messages, and the order of messages that
 * become due together.
 */
import { printProgress } from '../../support/measure/progress.ts'
import { readOptions } from '../options.ts'
import { runCommand } from '../run-command.ts'
import { checkScheduled } from './scheduled-report.ts'
import { measureScheduled, type ScheduledResult } from './scheduled-steps.ts'

const options = readOptions({
  name: 'scheduled',
  about: 'the cost of scheduled messages, and the order of messages due together',
  figures: {
    messages: {
      default: 1_000_000,
      help: 'number of messages scheduled for later; the same number again becomes due together',
    },
    accounts: { default: 10_000, help: 'accounts with messages for later' },
  },
})

const labels: Readonly<Record<keyof ScheduledResult, string>> = {
  emptyPollMs: 'milliseconds per poll with an empty table',
  laterPollMs: 'milliseconds per poll with messages for later',
  beforeCodes: 'steps released before the last one-time code',
  codesSeconds: 'seconds until the last one-time code was released',
  smallServed: 'steps of the small account among the first released',
  releasedPerSecond: 'steps released per second',
}

await runCommand('scheduled', async () => {
  const result = await measureScheduled(process.env.POSTERN_DATABASE_URL!, options)
  for (const [figure, label] of Object.entries(labels))
    printProgress(`${label}: ${result[figure as keyof ScheduledResult].toFixed(2)}`)
  return checkScheduled(result)
})
