/** The headers of Standard Webhooks: what the receiver deduplicates by, when it was tried, and who tried it. */
import { Webhook as Signer } from 'standardwebhooks'
import type { Webhook } from './webhook.ts'

type Secrets = Pick<Webhook, 'secret' | 'previousSecret' | 'previousUntil'>

export interface SignedHeaders {
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

/** While a secret is being replaced both sign, side by side, so that the receiver may know either. */
export function signedHeaders(secrets: Secrets, eventId: string, body: string, now: Date): SignedHeaders {
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': activeSecrets(secrets, now)
      .map((secret) => new Signer(secret).sign(eventId, now, body))
      .join(' '),
  }
}

function activeSecrets({ secret, previousSecret, previousUntil }: Secrets, now: Date): string[] {
  const stillThere = previousSecret !== null && previousUntil !== null && previousUntil > now
  return stillThere ? [secret, previousSecret] : [secret]
}
