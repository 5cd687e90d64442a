import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { Envelope } from '../../support/processes/account-client.ts'
import type { HttpResponse } from '../../support/processes/json-http.ts'
import { createRandom, type Random } from '../../support/random.ts'
import type { Batch, BatchClient } from './batch-client.ts'
import type { BatchesInstallation } from './batches-installation.ts'
import { checkResults } from './check-batch.ts'
import type { BatchesOptions } from './options.ts'
import { refOf, recipientOf, toCsv, toFlow, type TestList } from './recipients.ts'
import type { Scenario, ScenarioResult } from './scenario.ts'

const timeoutMs = 60_000
/** Maximum time from sending to the break, which can be before or after the response. */
const maxBreakDelayMs = 30

interface CutRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

type CutResponse = HttpResponse<Envelope & { readonly data?: unknown }>

/**
 * Makes most requests several times: over a connection that breaks in the body, over one that breaks at about the time of
 * the response, and twice completely.
 */
export const cutConnectionsScenario: Scenario = { name: 'cut connections', run: runCut }

async function runCut(installation: BatchesInstallation, options: BatchesOptions): Promise<ScenarioResult> {
  const client = await installation.openAccount('cut')
  const random = createRandom(options.seed)
  const list: TestList = { prefix: '0104', parts: [1_200, 600] }
  const ref = `cut-${options.seed}`
  let requests = 0
  const sendRepeatedly = async (sent: CutRequest): Promise<CutResponse> => {
    requests += 1
    return repeatRequest(client, sent, random)
  }
  const json = { 'content-type': 'application/json', 'idempotency-key': ref }
  const create = (text: string): CutRequest => ({
    method: 'POST',
    path: '/v1/batch',
    headers: json,
    body: JSON.stringify({ messageFlow: toFlow(text), ref }),
  })
  const created = await sendRepeatedly(create('Cut'))
  const { batchId } = created.body.data as Batch
  assert.equal((await sendOnce(client, create('Another text'))).body.code, 'A021')

  const upload = (part: number, body: string): CutRequest => ({
    method: 'PUT',
    path: `/v1/batch/${batchId}/recipients/${part}`,
    headers: { 'content-type': 'text/csv' },
    body,
  })
  for (const [index, lines] of list.parts.entries()) {
    const { body } = await sendRepeatedly(upload(index + 1, toCsv(list, index + 1)))
    assert.deepEqual(body.data, { batchId, part: index + 1, lines })
  }
  assert.equal((await sendOnce(client, upload(2, toCsv(list, 1)))).body.code, 'A021')
  const act = (action: string): CutRequest => ({ method: 'POST', path: `/v1/batch/${batchId}/${action}` })
  await sendRepeatedly(act('check'))
  await client.untilState(batchId, ['ready'], timeoutMs)
  for (const action of ['start', 'pause', 'resume']) await sendRepeatedly(act(action))
  const again = await sendOnce(client, create('Cut'))
  assert.equal((again.body.data as Batch).batchId, batchId)

  const batch = await client.untilDone(batchId, timeoutMs)
  await cut(client, { method: 'GET', path: `/v1/batch/${batchId}/results` }, 'around the response', random)
  const { submitted } = installation
  const findings = await checkResults(client, list, batch, {
    checkRow({ msgKey }, recipient) {
      const times = submitted.get(recipient)?.times ?? 0
      return msgKey !== '' && times !== 1 ? `${recipient} was submitted ${times} times` : undefined
    },
  })
  const listed = await sendOnce(client, { method: 'GET', path: `/v1/batch?ref=${ref}` })
  const { batches } = listed.body.data as { batches: readonly Batch[] }
  assert.deepEqual(
    batches.map((one) => one.batchId),
    [batchId],
  )
  findings.push(...(await cancelOne(installation, client, sendRepeatedly, `${ref}-cancelled`)))
  return { findings, figures: { requests } }
}

/** Cancels a batch whose recipients came with its first request and whose start is an hour away: nothing must be submitted. */
async function cancelOne(
  { submitted }: BatchesInstallation,
  client: BatchClient,
  sendRepeatedly: (sent: CutRequest) => Promise<CutResponse>,
  ref: string,
): Promise<string[]> {
  const list: TestList = { prefix: '0104', first: 5_000, parts: [20] }
  const recipients = Array.from({ length: 20 }, (_, index) => ({
    to: recipientOf(list, index),
    ref: refOf(index),
    replaceWords: { name: `Customer ${index}` },
  }))
  const startAt = new Date(Date.now() + 3_600_000).toISOString()
  const created = await sendRepeatedly({
    method: 'POST',
    path: '/v1/batch',
    headers: { 'content-type': 'application/json', 'idempotency-key': ref },
    body: JSON.stringify({ messageFlow: toFlow('Cancelled'), ref, recipients, startAt, start: true }),
  })
  const { batchId } = created.body.data as Batch
  await client.untilState(batchId, ['running'], timeoutMs)
  const byRef = (dryRun: boolean): CutRequest => ({
    method: 'POST',
    path: '/v1/cancel',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ref, dryRun }),
  })
  assert.deepEqual((await sendRepeatedly(byRef(true))).body.data, { batches: 1, messages: 0 })
  await sendRepeatedly({ method: 'POST', path: `/v1/batch/${batchId}/cancel` })
  const batch = await client.untilDone(batchId, timeoutMs)
  return checkResults(client, list, batch, {
    checkRow: ({ code }, recipient) =>
      code === 'cancelled' && !submitted.has(recipient) ? undefined : `${recipient} has ${code}`,
  })
}

/** Returns the response of the complete request, which must be the same when it is made once more. */
async function repeatRequest(client: BatchClient, sent: CutRequest, random: Random): Promise<CutResponse> {
  if (sent.body !== undefined) await cut(client, sent, 'in the body', random)
  await cut(client, sent, 'around the response', random)
  const response = await sendOnce(client, sent)
  assert.equal(response.body.code, 'A000', `${sent.method} ${sent.path}: ${response.body.result}`)
  const again = await sendOnce(client, sent)
  assert.deepEqual(withoutProgress(again.body), withoutProgress(response.body), `${sent.method} ${sent.path}`)
  return response
}

function sendOnce(client: BatchClient, { method, path, headers, body }: CutRequest): Promise<CutResponse> {
  return client.send(method, path, headers, body)
}

/** Removes what can differ between two responses, because a running batch makes progress. */
function withoutProgress(body: CutResponse['body']): object {
  const data = (body.data ?? {}) as Partial<Batch>
  const lines = data.counts?.lines
  return {
    ...body,
    data: { ...data, state: undefined, counts: { lines }, codes: undefined, outcomes: undefined },
  }
}

async function cut(
  { url, authorization }: BatchClient,
  { method, path, headers, body = '' }: CutRequest,
  where: 'in the body' | 'around the response',
  random: Random,
): Promise<void> {
  const outgoing = request(`${url}${path}`, {
    method,
    agent: false,
    headers: { authorization, 'content-length': Buffer.byteLength(body), ...headers },
  })
  outgoing.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => void outgoing.once('close', () => resolve()))
  const breakOff = (): void => void setTimeout(() => outgoing.destroy(), random.below(maxBreakDelayMs))
  if (where === 'in the body') outgoing.write(body.slice(0, body.length / 2), breakOff)
  else outgoing.end(body, breakOff)
  await closed
}
