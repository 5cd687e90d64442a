#!/usr/bin/env node
/**
 * The command: starts a simulated carrier, prints one line of JSON when it is ready, and stops cleanly on
 * SIGTERM or SIGINT. Exit code 2 means the command line was wrong.
 */
import { UsageError, commandDefaults, helpText, parseOptions } from './options.ts'
import { startSmsc } from './smsc.ts'

async function run(args: readonly string[]): Promise<void> {
  const [carrier, ...rest] = args
  if (carrier === '--help' || carrier === '-h') return void process.stdout.write(helpText())
  if (carrier !== 'smsc') {
    throw new UsageError(
      carrier === undefined ? 'which carrier? try: smsc' : `no carrier '${carrier}'; try: smsc`,
    )
  }
  const options = parseOptions(rest)
  if (options === 'help') return void process.stdout.write(helpText())
  const smsc = await startSmsc({ ...commandDefaults, ...options })
  const { port, controlPort } = smsc
  process.stdout.write(`${JSON.stringify({ ready: 'smsc', port, controlPort })}\n`)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void smsc.close())
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  process.exitCode = error instanceof UsageError ? 2 : 1
  const text = error instanceof Error ? error.message : String(error)
  process.stderr.write(
    `${text}\n${error instanceof UsageError ? 'See: node simulator/src/main.ts smsc --help\n' : ''}`,
  )
}
