import { Webhook as Signer } from 'standardwebhooks'
import type { WebhookSecrets } from '../webhook.ts'

export interface SignedHeaders {
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

/**
 * Returns the headers of Standard Webhooks: id, time and signature. During a rotation both secrets sign, so
 * the receiver can verify with either.
 */
export function signedHeaders(
  secrets: WebhookSecrets,
  eventId: string,
  body: string,
  now: Date,
): SignedHeaders {
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': activeSecrets(secrets, now)
      .map((secret) => new Signer(secret).sign(eventId, now, body))
      .join(' '),
  }
}

function activeSecrets({ secret, previousSecret, previousUntil }: WebhookSecrets, now: Date): string[] {
  const previousSigns = previousSecret !== null && previousUntil !== null && previousUntil > now
  return previousSigns ? [secret, previousSecret] : [secret]
}
