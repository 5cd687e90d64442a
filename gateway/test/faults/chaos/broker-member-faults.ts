import {
  brokerMetricsTargets,
  loseBrokerNode,
  toNodeName,
  runBrokerCommand,
  serviceStatus,
  startService,
} from '../../../../tools/engines/index.ts'
import { startPrometheus, type Prometheus } from '../../support/processes/prometheus.ts'
import { printProgress } from '../../support/measure/progress.ts'
import { waitFor } from '../../support/wait.ts'
import type { ChaosFault } from './fault.ts'

/** RabbitMQ 4 adds one member per queue every 10 s, so waiting takes longer than for other conditions. */
const patient = { timeoutMs: 120_000 }

/**
 * Queues start with their only member on the first broker node. Then a node is added and another one
 * replaced. New nodes have no queue members until RabbitMQ (4.x) or the operator (3.10) adds them; until then
 * the shipped alert must be active in a real Prometheus.
 */
export const brokerMemberFaults: readonly ChaosFault[] = [
  {
    name: 'a broker node is added and another is replaced',
    on: ['full'],
    acceptsThroughout: false,
    byOperator: true,
    lastsMs: 0,
    async inject() {
      const prometheus = await startPrometheus([
        {
          job_name: 'rabbitmq',
          metrics_path: '/metrics/detailed',
          params: { family: ['ra_metrics'] },
          static_configs: [{ targets: brokerMetricsTargets() }],
        },
      ])
      try {
        for (const node of [2, 3]) await runBrokerCommand('rabbitmq-queues', 'shrink', toNodeName(node))
        await replaceNode(prometheus, 3, 1)
        await replaceNode(prometheus, 2, 2)
      } finally {
        await prometheus.stop()
      }
    },
  },
]

/**
 * Replaces a node with an empty one and waits for the alert, then for three members per queue and the end of
 * the alert.
 */
async function replaceNode(prometheus: Prometheus, node: 2 | 3, membersLeft: number): Promise<void> {
  await loseBrokerNode(node)
  await untilMembers(prometheus, membersLeft)
  await startService(`rabbitmq-${node}`)
  const joinedAt = performance.now()
  await waitFor('the alert about queue members', () => isActive(prometheus), patient)
  const broker = (await serviceStatus()).find(({ name }) => name === 'rabbitmq')
  if (broker?.version.startsWith('3.') === true)
    for (const added of [2, 3]) await runBrokerCommand('rabbitmq-queues', 'grow', toNodeName(added), 'all')
  await untilMembers(prometheus, 3)
  await waitFor('the end of the alert', async () => !(await isActive(prometheus)), patient)
  const grownIn = ((performance.now() - joinedAt) / 1000).toFixed(1)
  printProgress(`RabbitMQ ${broker?.version}: from ${membersLeft} to 3 members per queue in ${grownIn} s`)
}

/** Waits until the queue with the fewest members has `count` members. */
async function untilMembers(prometheus: Prometheus, count: number): Promise<void> {
  const fewest = 'min(count by (vhost, queue) (rabbitmq_detailed_raft_term_total{queue!=""}))'
  type Result = { readonly result: readonly { readonly value: readonly [number, string] }[] }
  await waitFor(
    `${count} members per queue`,
    async () => {
      const { data } = await prometheus.query<Result>('query', { query: fewest })
      return data.result[0]?.value[1] === String(count)
    },
    patient,
  )
}

/** Reports whether the alert is pending or firing. It fires only after its condition held for minutes. */
async function isActive(prometheus: Prometheus): Promise<boolean> {
  const rule = (await prometheus.alertRules()).find(({ name }) => name === 'PosternQueueMembersMissing')
  if (rule?.health === 'err') throw new Error(`PosternQueueMembersMissing: ${rule.lastError}`)
  return rule !== undefined && rule.state !== 'inactive'
}
