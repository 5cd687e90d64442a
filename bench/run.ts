/**
 * `npm run suite -- bench`: measures the gateway and a bare baseline in the same run, on the same services and with
 * the same load. Prints progress to standard error, tables and with --json one last line of JSON to standard
 * output. Removes its processes, database and queues, also after an error or a signal.
 */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runAccept } from './accept.ts'
import { installGateway } from './gateway.ts'
import { openEnvironment } from './environment.ts'
import { describeHardware, readHardware } from '../tools/dev/hardware.ts'
import { helpText, parseOptions, UsageError, type BenchOptions, type ScenarioName } from './options.ts'
import { renderProfiles } from './profile.ts'
import { render, summarize, type Summary } from './report.ts'
import { runPipeline } from './pipeline.ts'
import { CleanupStack } from './cleanup-stack.ts'
import { enableRules, gatewayVariables } from './settings.ts'
import { renderStored, runStored } from './stored/stored.ts'

const scenarios = { accept: runAccept, pipeline: runPipeline }
const hardware = readHardware()
const log = (text: string): void => void process.stderr.write(`bench: ${text}\n`)

const interrupted = Promise.withResolvers<never>()
interrupted.promise.catch(() => undefined)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => interrupted.reject(new Error(`interrupted by ${signal}`)))
}

/** Runs a scenario with its own database and queues, so that each starts empty. */
async function runScenario(name: ScenarioName, options: BenchOptions): Promise<Summary> {
  const print = (text: string): void => log(`${name}: ${text}`)
  print('preparing')
  const profileFolder = options.profile ? await mkdtemp(join(tmpdir(), `bench-${name}-`)) : undefined
  const environment = await openEnvironment()
  const stack = new CleanupStack()
  const measure = async (): Promise<Summary> => {
    const gateway = await installGateway(environment, profileFolder, gatewayVariables(options))
    if (options.rules) await enableRules(gateway)
    const { cores } = hardware
    return summarize(
      await scenarios[name]({ options, environment, gateway, stack, cores, log: print }),
      hardware,
    )
  }
  let summary
  try {
    summary = await Promise.race([measure(), interrupted.promise])
  } finally {
    await stack.stop()
    await environment.close()
  }
  process.stdout.write(`\n${render(name, summary)}`)
  if (profileFolder !== undefined) process.stdout.write(await renderProfiles(profileFolder))
  return summary
}

/** Compares a filled store with an empty one. The stack removes both databases. */
async function compareStores(options: BenchOptions): Promise<void> {
  const stack = new CleanupStack()
  const print = (text: string): void => log(`stored: ${text}`)
  try {
    const compared = runStored(options, hardware.cores, stack, print)
    const summary = await Promise.race([compared, interrupted.promise])
    process.stdout.write(`\n${renderStored(summary)}`)
    if (options.json) process.stdout.write(`${JSON.stringify({ ...summary, hardware })}\n`)
  } finally {
    await stack.stop()
  }
}

async function run(options: BenchOptions): Promise<void> {
  process.stdout.write(`${describeHardware(hardware)}\n`)
  if (options.stored > 0) return compareStores(options)
  if (options.profile)
    process.stdout.write('profiling slows our variant: do not use these measurements as results\n')
  const summaries: Partial<Record<ScenarioName, Summary>> = {}
  for (const name of options.scenarios) summaries[name] = await runScenario(name, options)
  const [only, ...others] = options.scenarios
  const all = others.length === 0 ? summaries[only!] : summaries
  if (options.json) process.stdout.write(`${JSON.stringify(all)}\n`)
}

try {
  const options = parseOptions(process.argv.slice(2))
  if (options === 'help') process.stdout.write(helpText())
  else await run(options)
  process.exit(0)
} catch (error) {
  const usage = error instanceof UsageError
  const message = error instanceof Error ? (usage ? error.message : error.stack) : String(error)
  process.stderr.write(usage ? `${message}\n\n${helpText()}` : `bench: ${message}\n`)
  process.exit(usage ? 2 : 1)
}
