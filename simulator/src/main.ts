#!/usr/bin/env node
/**
 * Starts a simulated carrier, prints one line of JSON when it is ready, and stops cleanly on SIGTERM or
 * SIGINT. Exit code 2 means an invalid command line.
 */
import { carriers } from './carriers.ts'
import { UsageError } from './shared/command-line.ts'

const names = carriers.map(({ name }) => name).join(', ')

async function run(args: readonly string[]): Promise<void> {
  const [name, ...rest] = args
  if (name === '--help' || name === '-h') {
    return void process.stdout.write(carriers.map((command) => command.help()).join('\n'))
  }
  const command = carriers.find((candidate) => candidate.name === name)
  if (command === undefined) {
    throw new UsageError(
      name === undefined
        ? `carrier required: one of ${names}`
        : `unknown carrier '${name}'; use one of ${names}`,
    )
  }
  const carrier = await command.start(rest)
  if (carrier === 'help') return void process.stdout.write(command.help())
  const { port, controlPort } = carrier
  process.stdout.write(`${JSON.stringify({ ready: command.name, port, controlPort })}\n`)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void carrier.close())
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  process.exitCode = error instanceof UsageError ? 2 : 1
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(
    `${message}\n${error instanceof UsageError ? 'See: node simulator/src/main.ts --help\n' : ''}`,
  )
}
