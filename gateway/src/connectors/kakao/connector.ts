/**
 * Submits alimtalk and brand messages to Kakao BizMessage. Unless its result is polled, an acceptance is the
 * result: its receipt is stored before the outcome is returned. The link is up from start to stop, except for a pause after Kakao
 * refused the partner key. Created by the registry for dispatch.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '../../platform/backoff.ts'
import type { Connector, ConnectorContext, Receipt, Submission, SubmitOutcome } from '../connector.ts'
import { HttpClient } from '../http-client.ts'
import { OpenSubmissions } from '../open-submissions.ts'
import { AccountCheck } from './account.ts'
import { KakaoImages } from './images.ts'
import type { KakaoOptions } from './options.ts'
import { readOutcome, type SendResult } from './outcome.ts'
import { pollResults } from './poller.ts'
import { sendHeaders, toKakaoMessage, toRequest, type Images, type KakaoMessage } from './request.ts'
import { receiptOf } from './result.ts'
import { Serials, serialBase } from './serial.ts'

/** Answers to submissions and uploads have less than 1 KB. */
const maxAnswerBytes = 65_536
/** A result has about 100 bytes. A batch that is cut off could never be completed. */
const maxBatchBytes = 8 * 1024 * 1024
const storeBackoff = { firstMs: 50, maxMs: 5_000 }

/** Every refusal without a code of Kakao is counted; one of each reason is logged per interval. */
const warnEveryMs = 60_000

type Judged = Pick<SendResult, 'outcome' | 'accountRefused' | 'doubtful'>

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

  /** With `repeatable` only an acceptance uses a serial number up: another one could deliver the message a second time. */
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
      'Kakao refuses the partner key; messages of the route wait. Check partnerKey, url and the source address registered at Kakao',
    )
    setLink(false, `the partner key was refused (${code})`)
    paused = setTimeout(() => {
      paused = undefined
      setLink(true, 'trying again')
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
    const outcome = await exchange(submission, message, resolved.addresses)
    if (!resolved.reused || outcome.kind !== 'refused' || outcome.cause !== 'attachment') return outcome
    // Kakao may have removed the image. It refused the message, so that another submission is not a second one.
    images.forget(files)
    useUp(serialBase(reference))
    const again = await resolveImages(submission)
    return 'kind' in again ? again : exchange(submission, message, again.addresses)
  }

  async function resolveImages({
    files,
  }: Submission): Promise<SubmitOutcome | { readonly addresses: Images; readonly reused: boolean }> {
    const resolved = await images.resolve(files)
    if (!('outcome' in resolved)) return resolved
    return judge(resolved)
  }

  /** The outcome, after what the answer says of the account. */
  async function judge({ outcome, accountRefused, doubtful }: Judged): Promise<SubmitOutcome> {
    const code = outcome.kind === 'accepted' ? '' : outcome.code
    if (accountRefused) refuseAccount(code)
    if (!doubtful) return outcome
    const state = await account.state()
    if (state === 'refused') refuseAccount(code)
    if (state !== 'accepted') return { kind: 'unreachable', code, text: 'the partner key may be refused' }
    context.onEvent('refused-without-code')
    warnOfRefusal(
      code,
      'refused without a code of Kakao, which accepts the partner key; if others are refused too, check brandPath, uploadUrl and the firewall in between',
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
    addresses: Images,
  ): Promise<SubmitOutcome> {
    // It may have been stopped while images were uploaded.
    if (!linked) return open.down
    const base = serialBase(submission.reference)
    const { url, body, responseMethod } = toRequest(options, message, submission, serials.of(base), addresses)
    const result = await client.send({ method: 'POST', url, headers: sendHeaders, body })
    const read = readOutcome(options, result, base)
    const { success, usedUp, doubtful } = read
    const outcome = await judge(read)
    if (usedUp || (doubtful && outcome.kind === 'unreachable')) useUp(base)
    else if (outcome.kind === 'accepted' || outcome.kind === 'refused') serials.forget(base)
    if (responseMethod !== 'polling' && success !== null)
      await store(receiptOf(options, base, success.code, success.at))
    return outcome
  }

  /** Until it is durable. Meanwhile the submission keeps its place in the window, so that no more results are lost than that. */
  async function store(receipt: Receipt): Promise<void> {
    for (let failures = 0; ; failures++) {
      try {
        return await context.onReceipt(receipt)
      } catch (error) {
        if (stopping.signal.aborted) {
          context.log.error(
            { err: error as Error },
            'a result could not be stored; its message ends at its deadline',
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
        polling = pollResults(options, {
          ...{
            client: pollClient,
            signal: stopping.signal,
            onAccountRefused: refuseAccount,
            log: context.log,
          },
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
