/** `npm run webhooks:load`: 200 endpoints, a tenth dead, a tenth too slow, a tenth failing half of the time. */
import { parseArgs } from 'node:util'
import { runLoad } from './load.ts'

const { values } = parseArgs({
  options: {
    endpoints: { type: 'string', default: '200' },
    rate: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '60' },
    workers: { type: 'string', default: '2' },
    kill: { type: 'boolean', default: false },
  },
})
const endpoints = Number(values.endpoints)
const tenth = Math.floor(endpoints / 10)
const result = await runLoad({
  ...{ endpoints, dead: tenth, slow: tenth, flaky: tenth },
  ...{ perSecond: Number(values.rate), seconds: Number(values.seconds), workers: Number(values.workers) },
  kill: values.kill,
})
const { healthy } = result
process.stdout.write(
  [
    `written        ${result.written} reports for ${endpoints} webhooks: ${tenth} dead, ${tenth} slow, ${tenth} flaky`,
    `acknowledged   ${result.acknowledged}, and ${result.repeated} of them again`,
    `lost           ${result.lost}`,
    `bad signatures ${result.badSignatures}`,
    `healthy        p50 ${healthy.p50Ms} ms, p99 ${healthy.p99Ms} ms, most ${healthy.mostMs} ms`,
    `drained        ${result.drainSeconds.toFixed(1)} s after the last report`,
    '',
  ].join('\n'),
)
const good = result.lost === 0 && result.badSignatures === 0 && (values.kill || healthy.p99Ms < 2_000)
process.stdout.write(good ? 'passed\n' : 'FAILED\n')
process.exitCode = good ? 0 : 1
