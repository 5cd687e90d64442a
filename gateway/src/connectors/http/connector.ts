/**
 * Sends texts to a carrier over HTTP, as its profile describes. The link is up unless a connection failed or the carrier
 * refused the account; then it pauses, so that no message loses tries to a carrier that is unavailable. After a refused
 * account a single submission finds out whether the carrier accepts it again, and the others wait for its answer.
 */
import { clock } from '../../platform/clock.ts'
import type { Connector, ConnectorContext, Submission, SubmitOutcome } from '../connector.ts'
import { HttpClient, outcomeOfFailure } from '../http-client.ts'
import { OpenSubmissions } from '../open-submissions.ts'
import { maskValues } from '../secrets.ts'
import { compile } from './compile.ts'
import type { HttpOptions } from './options.ts'

export function createHttpConnector(options: HttpOptions, context: ConnectorContext): Connector {
  const compiled = compile(options)
  const client = new HttpClient({
    connections: options.window,
    connectTimeoutMs: options.connectTimeoutMs,
    timeoutMs: options.responseTimeoutMs,
    maxAnswerBytes: options.maxAnswerBytes,
    tls: options.tls ?? {},
  })
  const open = new OpenSubmissions('http', options.window)
  let linked = false
  let stopped = false
  let paused: NodeJS.Timeout | undefined
  let isAccountRefused = false
  let probe: Promise<SubmitOutcome> | undefined

  function pauseLink(ms: number, reason: string): void {
    if (stopped || paused !== undefined) return
    setLink(false, reason)
    paused = setTimeout(() => {
      paused = undefined
      setLink(true, 'trying again')
    }, ms)
    paused.unref()
  }

  function setLink(up: boolean, reason: string): void {
    linked = up
    context.onLink(up, reason)
  }

  function refuseAccount(answer: string): void {
    isAccountRefused = true
    if (stopped || paused !== undefined) return
    const words = maskValues(answer, Object.values(options.secrets))
    context.onEvent('account-refused')
    context.log.error(
      { answer: words },
      'the carrier refuses the account; messages of the route wait. Check the secrets of the route and the credit of the account',
    )
    pauseLink(options.loginPauseMs, `the carrier refuses the account: ${words}`)
  }

  async function sendOrProbe(submission: Submission): Promise<SubmitOutcome> {
    if (!isAccountRefused) return send(submission)
    if (probe === undefined) {
      probe = send(submission)
      return probe.finally(() => (probe = undefined))
    }
    await probe
    return linked && !clock.hasPassed(submission.validUntil) ? sendOrProbe(submission) : open.down
  }

  async function send(submission: Submission): Promise<SubmitOutcome> {
    const text = textOf(submission)
    if (text === null)
      return { kind: 'refused', cause: 'unsupported', code: 'http:channel', text: 'texts only' }
    const request = requestOf(submission, text)
    if (request === null)
      return { kind: 'refused', cause: 'failed', code: 'http:request', text: 'no request can be made' }
    const result = await client.send(request)
    if (result.kind === 'answer') {
      const { status, body, retryAfterMs } = result
      const outcome = compiled.answer({ status, body: body.toString(), retryAfterMs }, submission.reference)
      if (outcome.kind !== 'login') {
        isAccountRefused = false
        return outcome
      }
      refuseAccount(`${outcome.code} ${outcome.text}`.trim())
      return { ...outcome, kind: 'unreachable' }
    }
    if (result.kind === 'not-sent') pauseLink(options.reconnectMs, result.code)
    return outcomeOfFailure(result, 'http')
  }

  /** Null if none can be made of this message. Later errors are not caught here: the request may have been sent. */
  function requestOf(submission: Submission, text: string): ReturnType<typeof compiled.request> | null {
    try {
      return compiled.request(submission, text, clock.timeBefore(submission.validUntil))
    } catch (error) {
      context.log.error({ err: error as Error }, 'cannot make a request; the message is refused')
      return null
    }
  }

  return {
    repeatable: options.repeatable,
    window: options.window,
    get linked() {
      return linked
    },
    start() {
      setLink(true, 'ready')
    },
    submit: (submission) => open.submit(linked, () => sendOrProbe(submission)),
    ...(compiled.usesOwnId ? { carrierIdFor: (reference: string) => reference } : {}),
    stop(limitMs) {
      stopped = true
      clearTimeout(paused)
      setLink(false, 'stopped')
      return open.drain({ ...options, limitMs }, () => client.stop())
    },
  }
}

/** Null for content that has more than a text. */
export function textOf({ message }: Submission): string | null {
  return message.channel === 'sms' || message.channel === 'international' ? message.content.text : null
}
