/** `npm run scheduled`: the cost of scheduled messages, and the order of those that become due together. */
import { printProgress } from '../support/progress.ts'
import { readOptions } from './options.ts'
import { runCommand } from './run-command.ts'
import { judgeScheduled } from './scheduled-report.ts'
import { measureScheduled } from './scheduled-steps.ts'

const options = readOptions({
  name: 'scheduled',
  about: 'the cost of messages that are scheduled for later, and the order of those that are due together',
  figures: {
    messages: { default: 1_000_000, help: 'messages for later, and as many that are due at once' },
    accounts: { default: 10_000, help: 'accounts with messages for later' },
  },
})

await runCommand('scheduled', async () => {
  const result = await measureScheduled(process.env.POSTERN_DATABASE_URL!, options)
  for (const [what, value] of Object.entries<number>({ ...result }))
    printProgress(`${what}: ${value.toFixed(2)}`)
  return judgeScheduled(result)
})
