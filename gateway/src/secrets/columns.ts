/** Every column with secrets. `reencrypt.ts` walks through them; one that is added here is encrypted at the next start. */
import type { EncryptedColumn } from '../platform/encryption/field-cipher.ts'
import { totpSecrets } from '../operators/login-queries.ts'
import { routeOptions } from '../routes/encrypted-options.ts'
import { formerProofs, senderProofs } from '../trust/senders/proofs.ts'
import { webhookUrls } from '../webhooks/encrypted-url.ts'
import { webhookSecrets } from '../webhooks/encrypted-secrets.ts'

export const encryptedColumns: readonly EncryptedColumn[] = [
  ...[routeOptions, senderProofs, formerProofs, totpSecrets],
  ...[...webhookSecrets, webhookUrls],
]
