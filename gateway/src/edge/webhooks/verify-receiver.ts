import { createMsgKey } from '../../contract/msg-key.ts'
import { invalidField } from '../../contract/problem.ts'
import { createTimeFormat } from '../../contract/times.ts'
import { clock } from '../../platform/time/clock.ts'
import { sampleBody, withMilliseconds } from './body.ts'
import type { Guard } from './guard.ts'
import { expectedMsgKey, openConnections, type Connections, type PushOutcome } from './push/push.ts'
import { signedHeaders } from './push/sign.ts'
import { createSecret, type Webhook, type WebhookSettings } from './webhook.ts'
import { isWithoutResponse, padToTimeout } from './push/without-response.ts'

type Receiver = Pick<WebhookSettings, 'url' | 'acknowledgement' | 'timeoutSeconds'> & Pick<Webhook, 'events'>

/** Maximum per sample, because the API request waits for the proof. */
const maxTimeoutSeconds = 5
const settings = { partCounts: false, reportKeys: 'full' } as const

/**
 * Verifies that the receiver of a URL holds the secret of the webhook: of three samples it must
 * acknowledge the first and the last, which are signed with the secret, and refuse the second, which is not.
 * A receiver that verifies signatures needs no change; a third party's treats all three alike and fails. Throws
 * A851 without the cause of a failure: the request must not reveal which hosts and ports respond.
 */
export async function verifyReceiver(guard: Guard, receiver: Receiver, secret: string): Promise<void> {
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
    url,
    body,
    timeoutMs,
    msgKey: expectedMsgKey(acknowledgement, key),
    headers: { ...signedHeaders(secrets, `challenge-${key}`, body, now) },
  })
  if (outcome.kind === 'failed' && isWithoutResponse(outcome)) await padToTimeout(started, timeoutMs)
  return outcome
}

/** Reports whether the receiver refused the signature; an overloaded or slow one proves nothing about it. */
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
    'the receiver must acknowledge a sample report that is signed with the secret of the webhook, and answer 401 to one that is signed with another; start it with the secret, then retry',
  )
}
