/**
 * The gateway under load while everything around it is killed, restarted and taken away. At the end every
 * message answered with A000 must have exactly one outcome. `npm run chaos -- --short [--seed N] [--rate N]
 * [--seconds N] [--only TEXT]`; ends with 0 when nothing is wrong.
 */
import { AccountClient } from '../harness/client.ts'
import { createAccount, readLedger } from '../harness/command.ts'
import { createRandom } from '../harness/random.ts'
import { waitFor } from '../harness/wait.ts'
import { playFaults, type Ordeal } from './campaign.ts'
import { faults } from './faults.ts'
import { Load } from './load.ts'
import { parseOptions, type ChaosOptions } from './options.ts'
import { openStage, foreignEngines, type Stage } from './stage.ts'
import { judge, seconds, type Verdict } from './verdict.ts'
import { Witness } from './witness.ts'

const stepTtlSeconds = 40
const started = performance.now()

const options = parseOptions(process.argv.slice(2))
const refusal = foreignEngines()
if (refusal !== undefined) {
  process.stderr.write(`${refusal}\n`)
  process.exit(2)
}
say(`seed ${options.seed}, ${options.rate} messages/s`)
const stage = await openStage(stepTtlSeconds)
const findings: string[] = []
try {
  findings.push(...(await run(stage, options)).findings)
} catch (error) {
  findings.push((error as Error).stack ?? String(error))
}
findings.push(...stage.site.surprises)
const late = await stage.close(findings.length > 0)
findings.push(...late.map((name) => `${name} did not stop on SIGTERM`))
for (const finding of findings) process.stdout.write(`WRONG  ${finding}\n`)
say(
  findings.length === 0
    ? `chaos: ok (seed ${options.seed})`
    : `chaos: ${findings.length} findings (seed ${options.seed})`,
)
process.exitCode = findings.length === 0 ? 0 : 1

async function run({ site, simulator, api }: Stage, wanted: ChaosOptions): Promise<Verdict> {
  say(`logs in ${site.directory}`)
  const credentials = await createAccount(site.environment, 'chaos')
  await stage.untilAllReady(20_000)
  await stage.owner()
  const sender = new AccountClient(api.url, credentials, { connections: 256 })
  const poller = new AccountClient(api.url, credentials, { connections: 2 })
  const witness = new Witness(poller)
  const load = new Load(sender, wanted.rate, wanted.seed)
  try {
    await waitFor(
      async () => (await sender.login()).httpStatus === 200,
      'the account to be known',
      5_000,
      200,
    )
    await poller.login()
    witness.start()
    load.start()
    const began = performance.now()
    await witness.untilFlowing(load, began, 15_000)
    say('messages flow; the faults begin')
    const ordeals = await playFaults(chosenFaults(wanted), {
      ...{ stage, load, witness, random: createRandom(wanted.seed) },
      tell: showOrdeal,
    })
    await waitFor(() => performance.now() - began > wanted.seconds * 1000, 'the load to end', 3_600_000)
    await load.stop()
    say(`${load.sends.size} sent; waiting until all are final`)
    const ledger = await untilFinal(load, witness)
    await witness.stop()
    const [submissions, duplicates] = [await simulator.submissions(), await simulator.duplicates()]
    const verdict = judge({ load, witness, ordeals, submissions, duplicates, ledger })
    showVerdict(verdict, load)
    return verdict
  } finally {
    await load.stop()
    await witness.stop()
    sender.close()
    poller.close()
  }
}

function chosenFaults({ short, only }: ChaosOptions): typeof faults {
  if (only.length > 0) return faults.filter(({ name }) => only.some((text) => name.includes(text)))
  return faults.filter((fault) => fault.short || !short)
}

/** Everything accepted is reported and the ledger says so too; after the time allowed, as it then is. */
async function untilFinal(load: Load, witness: Witness): ReturnType<typeof readLedger> {
  const until = (stepTtlSeconds + 30) * 1000
  const missing = (): number =>
    [...load.sends.values()].filter(
      ({ reply }) => reply?.kind === 'accepted' && !witness.sightings.has(reply.msgKey),
    ).length
  await waitFor(() => missing() === 0, 'all to be reported', until, 200).catch(() => undefined)
  const read = (): ReturnType<typeof readLedger> => readLedger(stage.site.environment)
  return waitFor(
    async () => {
      const ledger = await read()
      return ledger.inFlight === 0 && ledger.final === witness.sightings.size ? ledger : undefined
    },
    'the ledger to close',
    until,
    500,
  ).catch(read)
}

function showOrdeal({ fault, struckAt, overAt, flowingAt, readyMs }: Ordeal): void {
  const away = overAt - struckAt > 500 ? `away ${seconds(overAt - struckAt)}, then ` : ''
  say(
    `${fault.name}: ${away}flowing after ${seconds(flowingAt - overAt)}, all ready ${seconds(readyMs)} later`,
  )
}

function showVerdict(verdict: Verdict, load: Load): void {
  const lines: [string, number][] = [
    ['sent', load.sends.size],
    ['answered A000', verdict.accepted],
    ['answered with an error', load.count('refused')],
    ['no connection', load.count('unsent')],
    ['no answer', load.count('unanswered')],
    ['accepted without an answer', verdict.acceptedUnanswered],
    ['reported delivered', verdict.delivered],
    ['outcome unknown (99999)', verdict.unknown],
    ['… of which the carrier had taken', verdict.unknownTaken],
  ]
  process.stdout.write('\n')
  for (const [what, count] of lines)
    process.stdout.write(`  ${what.padEnd(34)}${String(count).padStart(8)}\n`)
  process.stdout.write('\n')
}

function say(text: string): void {
  process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${text}\n`)
}
