/**
 * Measures one case of `npm run suite -- rates` in its own process, so that it runs no code optimized for another
 * case: node bench/rates/measure.ts <case> <seconds> <window>. Prints one line of JSON.
 */
import { createConnector } from '../../gateway/src/carriers/connectors/registry.ts'
import type { Connector } from '../../gateway/src/carriers/connectors/connector.ts'
import { recorded } from '../../gateway/test/support/smpp/fixtures.ts'
import { waitFor } from '../../gateway/test/support/wait.ts'
import { cpuOfMachine, cpuOfProcess } from '../cpu.ts'
import { startProgram } from '../programs.ts'
import { cases } from './cases.ts'
import type { RateMeasurement } from './page.ts'

/** Time to compile code and open connections. */
const warmUpSeconds = 2
const linkTimeoutMs = 20_000

const [name, seconds, window] = process.argv.slice(2)
const found = cases.find((one) => one.name === name)
if (found === undefined) throw new Error(`unknown case '${name}'`)
const { kind, options, carrier, message, file, results } = found

const program = await startProgram({
  name: 'carrier',
  args: carrier,
  ready: (line) => (typeof line['ready'] === 'string' ? (line['port'] as number) : undefined),
})
let received = 0
const { context } = recorded()
const connector: Connector = createConnector(
  kind,
  { ...options(program.readyValue), window: Number(window) },
  {
    ...context,
    // Receipts are not kept: a million of them would be measured as memory of the connector.
    onReceipt: () => {
      received++
      return Promise.resolve()
    },
    openFile: () => Promise.resolve(file ?? null),
  },
)
connector.start()
await waitFor('the link', () => connector.linked, { timeoutMs: linkTimeoutMs })

let nth = 0
let accepted = 0
const notAccepted: Record<string, number> = {}
async function submitUntil(end: number): Promise<void> {
  while (performance.now() < end) {
    const reference = `20261115000000000C00A${String(nth++).padStart(11, '0')}-1-1-1`
    const outcome = await connector.submit({ ...message, reference })
    if (outcome.kind === 'accepted') accepted++
    else {
      const failure = `${outcome.kind} ${outcome.code}`
      notAccepted[failure] = (notAccepted[failure] ?? 0) + 1
    }
  }
}
const load = async (forSeconds: number): Promise<void> => {
  const end = performance.now() + forSeconds * 1_000
  await Promise.all(Array.from({ length: Number(window) }, () => submitUntil(end)))
}

await load(warmUpSeconds)
const [acceptedBefore, receivedBefore, startedAt] = [accepted, received, performance.now()]
const [ownBefore, carrierBefore, machineBefore] = cpus()
await load(Number(seconds))
const elapsed = (performance.now() - startedAt) / 1_000
const [ownAfter, carrierAfter, machineAfter] = cpus()
const count = accepted - acceptedBefore
const measured: RateMeasurement = {
  name: found.name,
  kind,
  window: Number(window),
  seconds: elapsed,
  results,
  messages: count,
  received: received - receivedBefore,
  connectorMicros: ownAfter - ownBefore,
  carrierMicros: carrierAfter - carrierBefore,
  machineMicros: machineAfter - machineBefore,
  notAccepted,
}
process.stdout.write(`${JSON.stringify(measured)}\n`)
await connector.stop()
await program.stop()

function cpus(): [number, number, number] {
  const { user, system } = process.cpuUsage()
  return [user + system, cpuOfProcess(program.pid), cpuOfMachine()]
}
