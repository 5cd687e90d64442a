/**
 * Submits alimtalk and brand messages to Kakao BizMessage. Unless results are polled, an acceptance is the result: its
 * receipt is stored before the outcome is returned. The link is up from start to stop, except for a pause after Kakao refused
 * the partner key.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '../../../platform/time/backoff.ts'
import type { Connector, ConnectorContext, Receipt, Submission, SubmitOutcome } from '../connector.ts'
import { HttpClient } from '../http/http-client.ts'
import { OpenSubmissions } from '../open-submissions.ts'
import { AccountCheck } from './account.ts'
import { KakaoImages } from './images.ts'
import type { KakaoOptions } from './options.ts'
import { parseKakaoOutcome, type KakaoSendResult } from './outcome.ts'
import { pollKakaoResults } from './poller.ts'
import {
  sendHeaders,
  toKakaoMessage,
  toKakaoRequest,
  type KakaoImageUrls,
  type KakaoMessage,
} from './request.ts'
import { toKakaoReceipt } from './result.ts'
import { Serials, serialBase } from './serial.ts'

/** Responses to submissions and uploads have less than 1 KB. */
const maxAnswerBytes = 65_536
/** A result has about 100 bytes. A truncated batch could never be completed. */
const maxBatchBytes = 8 * 1024 * 1024
const storeBackoff = { firstMs: 50, maxMs: 5_000 }

/** Minimum interval between logged refusals with the same code; all are counted. */
const warnEveryMs = 60_000

type ReadResult = Pick<KakaoSendResult, 'outcome' | 'accountRefused' | 'doubtful'>

export function createKakaoConnector(options: KakaoOptions, context: ConnectorContext): Connector {
  const limits = {
    connectTimeoutMs: options.connectTimeoutMs,
    timeoutMs: options.responseTimeoutMs,
    ...(options.tls && { tls: options.tls }),
  }
  const client = new HttpClient({ ...limits, connections: options.window, maxAnswerBytes })
  const pollClient = new HttpClient({ ...limits, connections: 1, maxAnswerBytes: maxBatchBytes })
  const images = new KakaoImages(options, context, client)
  const account = new AccountCheck(options, client)
  const serials = new Serials()
  const warnedAt = new Map<string, number>()
  const open = new OpenSubmissions('kakao', options.window)
  const stopping = new AbortController()
  let linked = false
  let paused: NodeJS.Timeout | undefined
  let polling: Promise<void> | undefined

  /**
   * Does nothing with `repeatable`: only an acceptance uses up a serial number, and another number could deliver the message
   * twice.
   */
  function useUp(base: string): void {
    if (!options.repeatable) serials.useUp(base)
  }

  function setLink(up: boolean, reason: string): void {
    linked = up
    context.onLink(up, reason)
  }

  function refuseAccount(code: string): void {
    if (stopping.signal.aborted || paused !== undefined) return
    context.onEvent('account-refused')
    context.log.error(
      { code },
      'Kakao refuses the partner key; messages of the route wait; check partnerKey, url and the source IP address registered at Kakao',
    )
    setLink(false, `the partner key was refused (${code})`)
    paused = setTimeout(() => {
      paused = undefined
      setLink(true, 'retrying')
    }, options.loginPauseMs)
    paused.unref()
  }

  async function send(submission: Submission): Promise<SubmitOutcome> {
    const message = toKakaoMessage(options, submission)
    if ('kind' in message) {
      context.onEvent('not-submitted')
      warnOfRefusal(message.code, message.text)
      return message
    }
    const { files, reference } = submission
    const resolved = await resolveImages(submission)
    if ('kind' in resolved) return resolved
    const outcome = await exchange(submission, message, resolved.imageUrls)
    if (!resolved.reused || outcome.kind !== 'refused' || outcome.cause !== 'attachment') return outcome
    // Kakao can have removed the image. It refused the message, so another submission is not a duplicate.
    images.invalidate(files)
    useUp(serialBase(reference))
    const reuploaded = await resolveImages(submission)
    return 'kind' in reuploaded ? reuploaded : exchange(submission, message, reuploaded.imageUrls)
  }

  async function resolveImages({
    files,
  }: Submission): Promise<SubmitOutcome | { readonly imageUrls: KakaoImageUrls; readonly reused: boolean }> {
    const resolved = await images.resolve(files)
    if (!('outcome' in resolved)) return resolved
    return checkAccount(resolved)
  }

  /** Returns the outcome, corrected if the response shows a problem of the account. */
  async function checkAccount({ outcome, accountRefused, doubtful }: ReadResult): Promise<SubmitOutcome> {
    const code = outcome.kind === 'accepted' ? '' : outcome.code
    if (accountRefused) refuseAccount(code)
    if (!doubtful) return outcome
    const state = await account.state()
    if (state === 'refused') refuseAccount(code)
    if (state !== 'accepted')
      return { kind: 'unreachable', code, text: 'the partner key is possibly refused' }
    context.onEvent('refused-without-code')
    warnOfRefusal(
      code,
      'refused without a Kakao code, although the partner key is accepted; if other messages are refused as well, check brandPath, uploadUrl and the firewall',
    )
    return outcome
  }

  function warnOfRefusal(code: string, reason: string): void {
    if (performance.now() - (warnedAt.get(code) ?? -Infinity) < warnEveryMs) return
    warnedAt.set(code, performance.now())
    context.log.warn({ code, reason }, 'a message was refused')
  }

  async function exchange(
    submission: Submission,
    message: KakaoMessage,
    imageUrls: KakaoImageUrls,
  ): Promise<SubmitOutcome> {
    // The link can have stopped while images were uploaded.
    if (!linked) return open.down
    const base = serialBase(submission.reference)
    const { url, body, responseMethod } = toKakaoRequest(
      options,
      message,
      submission,
      serials.get(base),
      imageUrls,
    )
    const result = await client.send({ method: 'POST', url, headers: sendHeaders, body })
    const read = parseKakaoOutcome(options, result, base)
    const { success, usedUp, doubtful } = read
    const outcome = await checkAccount(read)
    if (usedUp || (doubtful && outcome.kind === 'unreachable')) useUp(base)
    else if (outcome.kind === 'accepted' || outcome.kind === 'refused') serials.delete(base)
    if (responseMethod !== 'polling' && success !== null)
      await store(toKakaoReceipt(options, base, success.code, success.at))
    return outcome
  }

  /** Retries until the receipt is durable or the link stops. Keeps its place in the window, which limits the results at risk. */
  async function store(receipt: Receipt): Promise<void> {
    for (let failures = 0; ; failures++) {
      try {
        return await context.onReceipt(receipt)
      } catch (error) {
        if (stopping.signal.aborted) {
          context.log.error(
            { err: error as Error },
            'cannot store a result; its message ends at its deadline',
          )
          return
        }
        await pause(backoffMs(failures, storeBackoff), undefined, { signal: stopping.signal }).catch(
          () => undefined,
        )
      }
    }
  }

  return {
    repeatable: options.repeatable,
    window: options.window,
    get linked() {
      return linked
    },
    carrierIdFor: serialBase,
    start() {
      setLink(true, 'ready')
      if (context.isFirstOwner && Object.values(options.results).includes('polling'))
        polling = pollKakaoResults(options, {
          client: pollClient,
          signal: stopping.signal,
          onAccountRefused: refuseAccount,
          log: context.log,
          onReceipt: (receipt) => context.onReceipt(receipt),
          onEvent: (event) => context.onEvent(event),
        })
    },
    submit: (submission) => open.submit(linked, () => send(submission)),
    stop(limitMs) {
      stopping.abort()
      clearTimeout(paused)
      if (linked) setLink(false, 'stopped')
      const disconnect = (): void => {
        client.stop()
        pollClient.stop()
      }
      return open.drain({ ...options, limitMs }, disconnect, polling)
    },
  }
}
