/**
 * Polls results and completes a batch when all its readable results are stored. A batch that cannot be stored, or whose
 * completion is lost, is returned again: its receipts repeat, and settle counts them once. Runs on the first owner of the route
 * only.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '../../../platform/time/backoff.ts'
import type { ConnectorContext, Receipt } from '../connector.ts'
import type { HttpClient, HttpResult } from '../http/http-client.ts'
import { parseKakaoResponse, type KakaoResponse } from './response.ts'
import { getKakaoMeaning, noResult } from './codes.ts'
import type { KakaoOptions } from './options.ts'
import { buildKakaoUrl } from './request.ts'
import { polledReceipts } from './result.ts'

/** Maximum results of a batch that are stored concurrently. */
const storedAtOnce = 1_000
const maxPauseMs = 30_000
/** A response without results that took this long was a long poll, after which there is no pause. */
const longPollMinMs = 1_000
/** There is no batch: none to read, or none to complete. */
const noBatchCode = '4000'

interface Problem {
  readonly code: string
  readonly retryAfterMs: number | null
}

export interface PollerContext extends Pick<ConnectorContext, 'onReceipt' | 'onEvent' | 'log'> {
  readonly client: HttpClient
  readonly signal: AbortSignal
  readonly onAccountRefused: (code: string) => void
}

/** Resolves after `signal` aborts. */
export async function pollKakaoResults(options: KakaoOptions, context: PollerContext): Promise<void> {
  const { signal, log, onEvent } = context
  const isOver = (): boolean => signal.aborted
  let failures = 0
  while (!isOver()) {
    const started = performance.now()
    const polled = await pollOnce(options, context)
    if (isOver()) return
    if (typeof polled === 'object') {
      if (failures++ === 0) log.warn({ code: polled.code }, 'cannot get or store results of Kakao; retrying')
      onEvent('poll-failed')
      const limits = { firstMs: options.pollIntervalMs, maxMs: Math.max(options.pollIntervalMs, maxPauseMs) }
      const pauseMs = Math.min(polled.retryAfterMs ?? backoffMs(failures - 1, limits), maxPauseMs)
      // `Retry-After: 0` must not make requests more frequent.
      await sleep(Math.max(pauseMs, options.pollIntervalMs), signal)
      continue
    }
    if (failures > 0) log.info({ failures }, 'results from Kakao are available again')
    failures = 0
    if (polled === 0 && performance.now() - started < longPollMinMs)
      await sleep(options.pollIntervalMs, signal)
  }
}

/** Returns the number of results in the completed batch, including unreadable ones, or the problem. */
async function pollOnce(options: KakaoOptions, context: PollerContext): Promise<number | Problem> {
  const { url, partnerKey, channelKey = '' } = options
  const polled = await post(context, buildKakaoUrl(url, 'v3', partnerKey, 'responseAll'), channelKey)
  const answer = polled.kind === 'answer' ? parseKakaoResponse(polled.body) : null
  if (answer !== null && noResult.includes(answer.code)) return 0
  const problem = findProblem(options, context, polled, answer)
  if (problem !== null) return problem
  const { response_id: id } = answer!.body
  const entries = polledReceipts(options, answer!.body)
  const receipts = entries.filter((entry): entry is Receipt => entry !== null)
  for (let unread = entries.length - receipts.length; unread > 0; unread--)
    context.onEvent('malformed-receipt')
  for (let from = 0; from < receipts.length; from += storedAtOnce) {
    const portion = receipts.slice(from, from + storedAtOnce)
    const stored = await Promise.allSettled(portion.map((receipt) => context.onReceipt(receipt)))
    if (stored.some(({ status }) => status === 'rejected'))
      return { code: 'kakao:not-stored', retryAfterMs: options.pollIntervalMs }
  }
  if (!isBatchId(id)) return entries.length === 0 ? 0 : { code: 'kakao:no-response-id', retryAfterMs: null }
  const path = `response/${id}/complete`
  const completed = await post(context, buildKakaoUrl(url, 'v3', partnerKey, path), channelKey)
  const completion = completed.kind === 'answer' ? parseKakaoResponse(completed.body) : null
  // Already completed: by this process before a response was lost, or by another reader.
  if (completion?.code === noBatchCode) return entries.length
  return findProblem(options, context, completed, completion) ?? entries.length
}

function post({ client, signal }: PollerContext, url: string, channelKey: string): Promise<HttpResult> {
  return client.send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', channel_key: channelKey },
    body: JSON.stringify({ channel_key: channelKey }),
    signal,
  })
}

function findProblem(
  options: KakaoOptions,
  context: PollerContext,
  result: HttpResult,
  answer: KakaoResponse | null,
): Problem | null {
  if (result.kind !== 'answer') return { code: `kakao:${result.code}`, retryAfterMs: null }
  const code = answer === null || answer.code === '' ? `http:${result.status}` : answer.code
  if (answer?.code === '0000' && result.status === 200) return null
  if (getKakaoMeaning(options, code) === 'account' || code === 'http:401') context.onAccountRefused(code)
  return { code, retryAfterMs: result.retryAfterMs }
}

/** Rejects 0, which means that there is no batch. Integers beyond 2^53 are strings, see `parseLosslessJson`. */
function isBatchId(id: unknown): id is number | string {
  if (typeof id === 'string') return /^[1-9]\d{0,19}$/.test(id)
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined)
}
