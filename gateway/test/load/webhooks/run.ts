/**
 * `npm run suite -- webhooks:load [--endpoints N] [--rate N] [--seconds N] [--workers N] [--kill] [--write]`:
 * a tenth of the endpoints is dead, a tenth too slow, and a tenth fails half of the time. Exits with 1 and
 * prints the violations if there are any.
 */
import { parseArgs } from 'node:util'
import { runWebhookLoad } from './load.ts'
import { writePage } from './page.ts'
import { listWebhookFigures, listViolations } from './result.ts'
import { brokerFaultName } from './faults.ts'

const { values } = parseArgs({
  options: {
    endpoints: { type: 'string', default: '200' },
    rate: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '60' },
    workers: { type: 'string', default: '2' },
    kill: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const endpoints = Number(values.endpoints)
const seconds = Number(values.seconds)
if (!(seconds <= 120))
  throw new Error('--seconds must be at most 120: the verifiers reject signatures older than 5 minutes')
const tenth = Math.floor(endpoints / 10)
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const options = {
  endpoints,
  dead: tenth,
  slow: tenth,
  flaky: tenth,
  perSecond: Number(values.rate),
  seconds,
  workers: Number(values.workers),
  kill: values.kill,
}
print(
  `${endpoints} webhooks: ${tenth} dead, ${tenth} slow, ${tenth} failing half; ${values.rate} reports per second`,
)
const result = await runWebhookLoad({ ...options, reportProgress: print })
for (const [name, figure] of listWebhookFigures(result)) print(`${name.padEnd(52)} ${figure}`)
if (values.kill) print(`killed: ${result.killed.join('; ')}`)
if (values.kill && !result.killed.includes(brokerFaultName))
  print(
    'no RabbitMQ node was killed: that requires a separate service set with three nodes; run npm run engines -- up --cluster 3',
  )
for (const finding of result.findings) print(`  ${finding}`)
const violations = listViolations(result)
for (const violation of violations) print(`VIOLATION  ${violation}`)
if (values.write) await writePage(options, result)
print(violations.length === 0 ? 'passed' : 'FAILED')
process.exitCode = violations.length === 0 ? 0 : 1
