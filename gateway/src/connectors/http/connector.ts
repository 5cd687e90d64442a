/**
 * Sends texts to a carrier over HTTP, as its profile describes. The link is up unless a connection failed or the carrier
 * refused the login; then it pauses, so that no message loses tries to a carrier that is unavailable.
 */
import { clock } from '../../platform/clock.ts'
import type { Connector, ConnectorContext, Submission, SubmitOutcome } from '../connector.ts'
import { HttpClient, outcomeOfFailure } from '../http-client.ts'
import { OpenSubmissions } from '../open-submissions.ts'
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
      if (outcome.kind !== 'login') return outcome
      context.onEvent('account-refused')
      context.log.error(
        { code: outcome.code },
        'the carrier refused the login; the link pauses. Check the secrets of the route',
      )
      pauseLink(options.loginPauseMs, `login refused (${outcome.code})`)
      return { ...outcome, kind: 'unreachable' }
    }
    if (result.kind === 'not-sent') pauseLink(options.reconnectMs, result.code)
    return outcomeOfFailure(result, 'http')
  }

  /** Null if none can be made of this message. Later errors are not caught here: the request may have been sent. */
  function requestOf(submission: Submission, text: string): ReturnType<typeof compiled.request> | null {
    try {
      return compiled.request(submission, text, clock.now())
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
    submit: (submission) => open.submit(linked, () => send(submission)),
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
