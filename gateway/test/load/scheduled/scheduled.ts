/**
 * `npm run suite -- scheduled`: measures the cost of scheduled messages, and the order of messages that
 * become due together.
 */
import { printProgress } from '../../support/measure/progress.ts'
import { readOptions } from '../options.ts'
import { runCommand } from '../run-command.ts'
import { checkScheduled } from './scheduled-report.ts'
import { measureScheduled } from './scheduled-steps.ts'

const options = readOptions({
  name: 'scheduled',
  about: 'the cost of scheduled messages, and the order of messages due together',
  figures: {
    messages: { default: 1_000_000, help: 'messages for later, and as many that are due at once' },
    accounts: { default: 10_000, help: 'accounts with messages for later' },
  },
})

await runCommand('scheduled', async () => {
  const result = await measureScheduled(process.env.POSTERN_DATABASE_URL!, options)
  for (const [what, value] of Object.entries<number>({ ...result }))
    printProgress(`${what}: ${value.toFixed(2)}`)
  return checkScheduled(result)
})
