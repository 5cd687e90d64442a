/**
 * `npm run suite -- capacity`: computes what a rate needs from the measured cost of a message.
 *
 * `--rate 20000 --days 30` prints processes, cores, disks and cells. `--measure` measures the costs and
 * writes bench/capacity/measured.json. `--check` predicts and runs a load that the costs were not measured
 * with.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readHardware } from '../../tools/dev/hardware.ts'
import { CleanupStack } from '../cleanup-stack.ts'
import { measureCosts, type Load } from './measure.ts'
import { checkPrediction } from './check-prediction.ts'
import { costsAt, measuredFile, readMeasured, type CapacityMeasurement } from './measured.ts'
import { plan, type Plan } from './model.ts'
import { renderCheck, renderPlans } from './render.ts'

const usage = `npm run suite -- capacity [--rate 20000] [--days 30] [--average 0.1] [--json]
                    [--measure | --check]

  --rate N      messages per second at the peak (default 1000, 20000 and 200000)
  --days N      retention of messages in days (default 30)
  --average S   average rate of a day as a share of the peak, decides the disk (default 0.1)
  --json        end the output with one line of JSON
  --measure     measure the cost of a message on this machine and write bench/capacity/measured.json
  --check       run a load that the costs were not measured with and compare it with the prediction
`
/** Fewer connections mean a lower rate and smaller groups and batches. */
const measuredLoads: readonly Load[] = [
  { messages: 6_000, connections: 4 },
  { messages: 20_000, connections: 12 },
  { messages: 40_000, connections: 64 },
]
/** Must differ from the measured loads. */
const checkedLoad: Load = { messages: 25_000, connections: 24 }
const defaultRates = [1_000, 20_000, 200_000]

async function withStack<T>(work: (stack: CleanupStack) => Promise<T>): Promise<T> {
  const stack = new CleanupStack()
  try {
    return await work(stack)
  } finally {
    await stack.stop()
  }
}

const log = (text: string): void => void process.stderr.write(`capacity: ${text}\n`)

async function measure(): Promise<CapacityMeasurement> {
  const points = await withStack((stack) => measureCosts(measuredLoads, stack, log))
  const date = new Date().toISOString().slice(0, 10)
  const load = 'single-step SMS with receipts, one API process and one worker'
  const measured = { date, load, hardware: readHardware(), points }
  writeFileSync(measuredFile, `${JSON.stringify(measured, null, 2)}\n`)
  return measured
}

/** Parses a positive number. Returns `defaultValue` if none is given. */
function parseNumber(name: string, given: string | undefined, defaultValue: number): number {
  const value = given === undefined ? defaultValue : Number(given)
  if (!(value > 0 && value < 1e9))
    throw new Error(`--${name} must be above 0 and below 1,000,000,000, got '${given}'`)
  return value
}

/** Returns false if the prediction exceeded its maximum error. */
async function run(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      rate: { type: 'string' },
      days: { type: 'string' },
      average: { type: 'string' },
      json: { type: 'boolean' },
      measure: { type: 'boolean' },
      check: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help === true) {
    process.stdout.write(usage)
    return true
  }
  const measured = values.measure === true ? await measure() : readMeasured()
  if (values.check === true) {
    const [found] = await withStack((stack) => measureCosts([checkedLoad], stack, log))
    const predicted = costsAt(measured.points, found!.perSecond)
    const wrong = checkPrediction(predicted, found!)
    process.stdout.write(renderCheck(predicted, found!))
    for (const finding of wrong) process.stdout.write(`WRONG  ${finding}\n`)
    if (values.json === true) process.stdout.write(`${JSON.stringify({ predicted, found, wrong })}\n`)
    return wrong.length === 0
  }
  const days = parseNumber('days', values.days, 30)
  const averageShare = parseNumber('average', values.average, 0.1)
  const rates = values.rate === undefined ? defaultRates : [parseNumber('rate', values.rate, 0)]
  const plans: Plan[] = rates.map((rate) => plan(measured.points, { rate, days, averageShare }))
  process.stdout.write(renderPlans(measured, plans))
  if (values.json === true) process.stdout.write(`${JSON.stringify({ measured, plans })}\n`)
  return true
}

try {
  process.exit((await run()) ? 0 : 1)
} catch (error) {
  process.stderr.write(`capacity: ${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
  process.exit(1)
}
