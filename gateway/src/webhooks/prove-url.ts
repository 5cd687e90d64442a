/**
 * Asks the receiver of a URL to prove that it holds the secret of the webhook: of three sample reports it must acknowledge
 * the first and the last, which are signed with the secret, and refuse the other, which is not. A receiver that verifies
 * signatures needs no change. One of somebody else, which does not know the secret, treats all three alike, whether it
 * verifies signatures or not.
 */
import { createMsgKey } from '../contract/msg-key.ts'
import { invalidField } from '../contract/problem.ts'
import { createTimeFormat } from '../contract/times.ts'
import { clock } from '../platform/clock.ts'
import { sampleBody, withMilliseconds } from './body.ts'
import type { Guard } from './guard.ts'
import { expectedMsgKey, openConnections, type Connections, type PushOutcome } from './push.ts'
import { signedHeaders } from './sign.ts'
import { createSecret, type Webhook, type WebhookSettings } from './webhook.ts'
import { isWithoutResponse, waitOutTimeout } from './without-response.ts'

type Receiver = Pick<WebhookSettings, 'url' | 'acknowledgement' | 'timeoutSeconds'> & Pick<Webhook, 'events'>

/** The request of the API waits for the proof. */
const maxTimeoutSeconds = 5
const settings = { partCounts: false, reportKeys: 'full' } as const

/** Throws A851 without saying how the server failed: the request must not tell which hosts and ports respond. */
export async function proveReceiver(guard: Guard, receiver: Receiver, secret: string): Promise<void> {
  const connections = openConnections(guard, 1)
  try {
    for (const isGenuine of [true, false, true]) {
      const outcome = await pushSample(connections, receiver, isGenuine ? secret : createSecret())
      if (isGenuine ? outcome.kind !== 'acknowledged' : !isRefusal(outcome)) throw notProved()
    }
  } finally {
    connections.close()
  }
}

async function pushSample(
  connections: Connections,
  { url, acknowledgement, timeoutSeconds, events }: Receiver,
  secret: string,
): Promise<PushOutcome> {
  const timeoutMs = Math.min(timeoutSeconds, maxTimeoutSeconds) * 1000
  const now = clock.date()
  const key = createMsgKey('00', now)
  const body = sampleBody(events, key, now, withMilliseconds(createTimeFormat('UTC')), settings)
  const secrets = { secret, previousSecret: null, previousUntil: null }
  const started = performance.now()
  const outcome = await connections.push({
    ...{ url, body, timeoutMs, msgKey: expectedMsgKey(acknowledgement, key) },
    headers: { ...signedHeaders(secrets, `challenge-${key}`, body, now) },
  })
  if (outcome.kind === 'failed' && isWithoutResponse(outcome)) await waitOutTimeout(started, timeoutMs)
  return outcome
}

/** Not because it is overloaded or slow: that says nothing about the signature. */
function isRefusal({ kind, httpStatus }: PushOutcome): boolean {
  return (
    kind === 'failed' &&
    httpStatus !== null &&
    /^4/.test(String(httpStatus)) &&
    ![408, 429].includes(httpStatus)
  )
}

function notProved(): Error {
  return invalidField(
    'A851',
    'url',
    'the receiver must acknowledge a sample report that is signed with the secret of the webhook, and answer 401 to one that is signed with another; start it with the secret, then repeat the request',
  )
}
