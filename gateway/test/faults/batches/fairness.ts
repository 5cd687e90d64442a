import { setTimeout as pause } from 'node:timers/promises'
import { printProgress } from '../../support/measure/progress.ts'
import { waitFor } from '../../support/wait.ts'
import type { Batch, BatchClient } from './batch-client.ts'
import type { BatchesInstallation } from './batches-installation.ts'
import { checkCounts } from './check-batch.ts'
import type { BatchesOptions } from './options.ts'
import { splitInto, toFlow } from './recipients.ts'
import { routeRate, type Scenario, type ScenarioResult } from './scenario.ts'

/** 200 campaigns: as many as 20 accounts run at once without reaching the limit of 20 batches each. */
const accounts = 20
const campaignsPerAccount = 10
const speed = 10
const minSpeed = 9
/** Lines of a campaign without a speed: more than a worker creates during the measurements. */
const campaignLines = 150_000
/** Uploads that are checked beside it, and the lines of each: the check takes longer than the measurement. */
const uploads = 20
const checkedLines = 20_000
const minKept = 0.7
const timeoutMs = 600_000
/** A campaign of which some slices are late reaches its speed again within this time. */
const settleMs = 5_000
const campaignsMs = 60_000
const readEveryMs = 1_000
/** The campaigns are started one after the other. */
const startMs = 25_000
/** Time over which the rate of the campaign is measured, alone and beside the checks. */
const besideMs = 20_000

/** Campaigns of many accounts each keep their speed. Counts created messages: how fast they are submitted is up to the route. */
export const campaignsScenario: Scenario = { name: 'fairness of campaigns', run: runCampaigns }

/** A campaign without a speed keeps most of its rate while uploads of another account are checked. */
export const besideChecksScenario: Scenario = { name: 'fairness beside checks', run: runBesideChecks }

async function runCampaigns(
  installation: BatchesInstallation,
  { seed }: BatchesOptions,
): Promise<ScenarioResult> {
  const clients: BatchClient[] = []
  for (let nth = 0; nth < accounts; nth++) clients.push(await installation.openAccount(`fair${nth}`))
  const lines = (speed * (startMs + settleMs + campaignsMs)) / 1_000
  const ref = `fairness-${seed}`
  await Promise.all(
    clients.map(async (client, nth) => {
      for (let campaign = 0; campaign < campaignsPerAccount; campaign++) {
        const first = (nth * campaignsPerAccount + campaign) * lines
        const list = { prefix: '0105', first, parts: [lines] }
        const { batchId } = await client.createFrom(`${ref}-${campaign}`, list, {
          messageFlow: toFlow('Fair'),
          ref,
          speed,
        })
        await client.act(batchId, 'check')
        await client.untilState(batchId, ['ready'], timeoutMs)
      }
    }),
  )
  printProgress(`fairness: ${accounts * campaignsPerAccount} campaigns are checked`)
  await Promise.all(
    clients.map(async (client) => {
      for (const { batchId } of await listBatches(client, ref)) await client.act(batchId, 'start')
    }),
  )
  await pause(settleMs)
  const growths = new Map<string, Growth>()
  const findings: string[] = []
  const until = performance.now() + campaignsMs
  while (performance.now() < until) {
    await Promise.all(
      clients.map(async (client) => {
        for (const batch of await listBatches(client, ref)) {
          findings.push(...checkCounts(batch))
          noteGrowth(growths, batch, performance.now())
        }
      }),
    )
    await pause(readEveryMs)
  }
  const speeds = [...growths.values()].map(({ first, last }) =>
    first === undefined || first === last
      ? 0
      : ((last.messages - first.messages) / (last.at - first.at)) * 1_000,
  )
  await Promise.all(
    clients.map(async (client) => {
      for (const { batchId } of await listBatches(client, ref)) await client.act(batchId, 'cancel')
    }),
  )
  const slow = speeds.filter((each) => each < minSpeed)
  const slowest = Math.min(...speeds)
  if (slow.length > 0)
    findings.push(
      `${slow.length} of ${speeds.length} campaigns were slower than ${minSpeed}/s, the slowest ${slowest.toFixed(1)}/s`,
    )
  return {
    findings,
    figures: {
      campaigns: speeds.length,
      slowestPerSecond: slowest,
      meanPerSecond: speeds.reduce((sum, each) => sum + each, 0) / speeds.length,
    },
  }
}

interface Reading {
  readonly at: number
  readonly messages: number
}

/** How a batch grew between the first and the last slice that were seen. */
interface Growth {
  readonly first: Reading | undefined
  readonly last: Reading
}

/** A busy worker creates the messages of many seconds together, so the speed is that between two slices. */
function noteGrowth(growths: Map<string, Growth>, { batchId, counts }: Batch, at: number): void {
  const reading = { at, messages: counts.messages }
  const known = growths.get(batchId)
  if (known === undefined) growths.set(batchId, { first: undefined, last: reading })
  else if (reading.messages > known.last.messages)
    growths.set(batchId, { first: known.first ?? reading, last: reading })
}

async function runBesideChecks(
  installation: BatchesInstallation,
  { seed }: BatchesOptions,
): Promise<ScenarioResult> {
  const [campaigner, uploader] = [
    await installation.openAccount('unlimited'),
    await installation.openAccount('uploader'),
  ]
  const lines = { prefix: '0106', parts: splitInto(4, campaignLines) }
  const campaign = await campaigner.createFrom(`unlimited-${seed}`, lines, {
    messageFlow: toFlow('Unlimited'),
  })
  const checked: string[] = []
  for (let nth = 0; nth < uploads; nth++) {
    const list = { prefix: '0107', first: nth * checkedLines, parts: [checkedLines] }
    const batch = await uploader.createFrom(`checked-${seed}-${nth}`, list, {
      messageFlow: toFlow('Checked'),
    })
    checked.push(batch.batchId)
  }
  await installation.setRate(0)
  await campaigner.act(campaign.batchId, 'start')
  const readMessages = async () => ({
    at: performance.now(),
    messages: (await campaigner.read(campaign.batchId)).counts.messages,
  })
  await waitFor('the campaign to run', async () => (await readMessages()).messages > 1_000, { timeoutMs })
  const measure = async (end: () => Promise<unknown>): Promise<number> => {
    const before = await readMessages()
    await end()
    const after = await readMessages()
    return ((after.messages - before.messages) / (after.at - before.at)) * 1_000
  }
  const alone = await measure(() => pause(besideMs))
  for (const batchId of checked) await uploader.act(batchId, 'check')
  const beside = await measure(() => pause(besideMs))
  const unchecked = await Promise.all(checked.map((batchId) => uploader.read(batchId)))
  const isChecking = unchecked.some(({ state }) => state === 'checking')
  const { state } = await campaigner.act(campaign.batchId, 'cancel')
  for (const batchId of checked) await uploader.untilState(batchId, ['ready'], timeoutMs)
  await installation.setRate(routeRate)
  const kept = beside / alone
  const findings = [
    ...(isChecking && state === 'cancelled'
      ? []
      : ['the campaign or the checks ended before the measurement']),
    ...(kept >= minKept
      ? []
      : [
          `beside ${uploads} checks the campaign kept ${Math.round(kept * 100)} % of its rate, at least ${minKept * 100} % expected`,
        ]),
  ]
  return { findings, figures: { alonePerSecond: alone, besidePerSecond: beside, kept } }
}

async function listBatches(client: BatchClient, ref: string): Promise<readonly Batch[]> {
  const { body } = await client.send<{ readonly data: { readonly batches: readonly Batch[] } }>(
    'GET',
    `/v1/batch?ref=${ref}`,
  )
  return body.data.batches
}
