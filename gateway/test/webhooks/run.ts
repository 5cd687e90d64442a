/**
 * `npm run webhooks:load [-- --kill] [--write]`: 200 endpoints, a tenth dead, a tenth too slow, a tenth failing half of the
 * time. Ends with 1 when anything is wrong, and says what.
 */
import { parseArgs } from 'node:util'
import { runLoad } from './load.ts'
import { writePage } from './page.ts'
import { figuresOf, wrongsOf } from './result.ts'
import { brokerStrike } from './strikes.ts'

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
  throw new Error('--seconds: 120 at most; the verifiers refuse what is older than 5 minutes')
const tenth = Math.floor(endpoints / 10)
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const options = {
  ...{ endpoints, dead: tenth, slow: tenth, flaky: tenth },
  ...{ perSecond: Number(values.rate), seconds, workers: Number(values.workers), kill: values.kill },
}
say(
  `${endpoints} webhooks: ${tenth} dead, ${tenth} slow, ${tenth} failing half; ${values.rate} reports a second`,
)
const result = await runLoad({ ...options, tell: say })
for (const [name, figure] of figuresOf(result)) say(`${name.padEnd(52)} ${figure}`)
if (values.kill) say(`killed: ${result.killed.join('; ')}`)
if (values.kill && !result.killed.includes(brokerStrike))
  say('no RabbitMQ node was killed: that wants a cluster, npm run services -- up --cluster 3')
for (const finding of result.findings) say(`  ${finding}`)
const wrongs = wrongsOf(result)
for (const wrong of wrongs) say(`WRONG  ${wrong}`)
if (values.write) await writePage(options, result)
say(wrongs.length === 0 ? 'passed' : 'FAILED')
process.exitCode = wrongs.length === 0 ? 0 : 1
