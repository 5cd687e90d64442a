// Measures the cost of tracing per send: accept with a broker that confirms immediately, without a tracer and
// with ratios from 0 to 1. The variants take turns in every round and the median of the rounds is printed, so
// that other load affects all alike. Run: node gateway/test/load/observability/cost.ts

import { createAccept } from '../../../src/pipeline/accept/accept.ts'
import { createMetrics } from '../../../src/platform/metrics.ts'
import { MessageTrace } from '../../../src/jobs/message-trace.ts'
import type { Account } from '../../../src/identity/accounts/account.ts'
import type { GroupPublisher } from '../../../src/platform/broker/publish.ts'
import type { Topology } from '../../../src/jobs/queues.ts'

const [warmUpRounds, rounds, sends] = [2, 15, 20_000]
const metrics = createMetrics('00')
const publisher = { send: () => Promise.resolve() } as unknown as GroupPublisher
const queues = {} as Topology['accepted']
const account = { id: 7, lane: null } as unknown as Account
const steps = [{ channel: 'sms', from: '0212345678', text: 'Hello' }] as const
let spans = 0

const variants = [undefined, 0, 0.01, 1].map((ratio) => {
  const sink = {
    add() {
      spans++
    },
  }
  const trace = ratio === undefined ? undefined : new MessageTrace(sink, ratio)
  const accept = createAccept({ publisher, queues, cell: '00', metrics, trace })
  return { name: ratio === undefined ? 'off' : `ratio ${ratio}`, accept, micros: [] as number[] }
})
for (let round = -warmUpRounds; round < rounds; round++)
  for (const { accept, micros } of variants) {
    const started = performance.now()
    for (let n = 0; n < sends; n++) await accept(account, { to: '01000001000', steps })
    if (round >= 0) micros.push(((performance.now() - started) * 1000) / sends)
  }
for (const { name, micros } of variants) {
  const median = micros.sort((left, right) => left - right)[rounds >> 1]!
  process.stdout.write(`${name.padEnd(11)} ${median.toFixed(2)} µs per send\n`)
}
process.stdout.write(`${spans} spans\n`)
