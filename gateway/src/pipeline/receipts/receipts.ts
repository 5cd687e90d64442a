import { randomUUID } from 'node:crypto'
import type { Receipt } from '../../carriers/connectors/connector.ts'
import type { ReceiptJob } from '../../jobs/jobs.ts'
import type { SendToSettle } from '../../jobs/send-to-settle.ts'
import { clock } from '../../platform/time/clock.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { generatedIdPrefix, toStoredId, toStoredRecipient } from '../../records/attempts/identifiers.ts'

/**
 * Function that receives a receipt; `login` is the digest of the route's login at its carrier, if it has one.
 */
export type ReceiptSink = (routeId: string, receipt: Receipt, login?: string) => Promise<void>

/**
 * Creates the receipts stage: makes a carrier's receipt durable before the connector acknowledges it to the carrier, in the
 * queue of settle, or settled while the broker accepts nothing. Intermediate notifications are only counted.
 */
export function createReceiptSink(sendToSettle: SendToSettle, metrics: Metrics): ReceiptSink {
  return (routeId, receipt, login) => {
    if (receipt.result === 'pending') {
      metrics.receipts.inc({ result: 'pending' })
      return Promise.resolve()
    }
    const receivedAt = clock.now()
    const job: ReceiptJob = {
      v: 1,
      kind: 'receipt',
      routeId,
      ...(login === undefined ? {} : { login }),
      carrierId: identify(receipt),
      result: receipt.result,
      cause: receipt.cause,
      ...(receipt.reportCode === undefined ? {} : { reportCode: receipt.reportCode }),
      code: receipt.code,
      recipient: messageCipher.sealing ? toStoredRecipient(receipt.recipient) : receipt.recipient,
      ...(receipt.recipientMustMatch === undefined ? {} : { recipientMustMatch: true }),
      ...(receipt.reference === undefined ? {} : { reference: receipt.reference }),
      ...(receipt.carrier === undefined ? {} : { carrier: receipt.carrier }),
      ...(receipt.portedTo === undefined ? {} : { portedTo: receipt.portedTo }),
      ...(receipt.userType === undefined ? {} : { userType: receipt.userType }),
      at: receipt.at?.getTime() ?? receivedAt,
      receivedAt,
    }
    return sendToSettle(job)
  }
}

/**
 * Returns the carrier's id of the receipt. A receipt that names its part neither by an id nor by a reference
 * gets a generated id, which is stored with the part: settled again, it finds that part instead of the next
 * open one.
 */
function identify({ carrierId, reference }: Receipt): string | null {
  return toStoredId(carrierId) === null && reference === undefined
    ? generatedIdPrefix + randomUUID()
    : carrierId
}
